// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/heights"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestOtherBuild: the results of another build of the library, such as one with other models, are not kept.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	folder, plugins := t.TempDir(), plugins(t, "lib*.so*")
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	library := filepath.Join(plugins, "libsuperpoint.so")
	run := func() string {
		return pdal(t, []string{"SUPERPOINT_PLUGINS=" + plugins}, "superpoint", "segment", path,
			filepath.Join(folder, "out")).ok(t).stdout
	}
	must.Need(t, run() != "", "the first run has no result")
	must.Need(t, run() == "", "the result of the same build is not kept")
	must.OK(t, os.WriteFile(library, append(must.Get(os.ReadFile(library))(t), 0), 0o755))
	must.Hold(t, run() != "", "the result of another build is kept")
}

// TestOneSurveyInAFolder plans in folders with files of other programs, and of another plan; all files stay.
func TestOneSurveyInAFolder(t *testing.T) {
	t.Parallel()
	at := place(t)
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	plan := func(name string, args ...string) outcome {
		return try(t, append([]string{"survey", "plan", "--model", "geometric", "--output", at(name),
			path}, args...)...)
	}
	for _, name := range []string{"plan.json", "cut/1.las", "out/1.las"} {
		put(t, at("theirs/"+name), "weeks of work")
		refused(t, plan("theirs"), "", "theirs", "another folder")
		must.OK(t, os.RemoveAll(at("theirs")))
	}
	put(t, at("ours/work.txt"), "weeks of work")
	plan("ours").ok(t)
	for _, name := range []string{"cut/work.txt", "out/work.las", "label/.0.las-work", "label/.0.las-17"} {
		put(t, at("ours/"+name), "weeks of work")
	}
	do(t, "survey", "run", at("ours"))
	result := at("ours/out/" + filepath.Base(path))
	before := must.Get(os.Stat(result))(t)
	plan("ours").ok(t) // the same plan: nothing is done again
	do(t, "survey", "run", at("ours"))
	after := must.Get(os.Stat(result))(t)
	must.Need(t, os.SameFile(before, after),
		"the same plan writes results again: os.SameFile(before, after) is false")
	must.Hold(t, after.ModTime().Equal(before.ModTime()),
		"the same plan writes results again: after.ModTime().Equal(before.ModTime()) is false")
	refused(t, plan("ours", "--tile", "20"), "",
		"continue that survey with pdal superpoint survey run "+at("ours"))
	must.OK(t, os.WriteFile(result, append(must.Get(os.ReadFile(result))(t), "edited"...), 0o666))
	must.OK(t, os.Remove(at("ours/write/0.json")))
	refused(t, try(t, "survey", "run", at("ours")), "", "was changed after superpoint wrote it")
	for name, there := range map[string]bool{"work.txt": true, "cut/work.txt": true, "out/work.las": true,
		"label/.0.las-work": true, "label/.0.las-17": false, "label/0.json": true} {
		_, err := os.Stat(at("ours/" + name))
		must.Hold(t, (err == nil) == there, "%s: %v", name, err)
	}
}

// TestOneRunAtATime: while a command works in a folder, others on it fail; processes of single steps share
// it.
func TestOneRunAtATime(t *testing.T) {
	t.Parallel()
	at := place(t)
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	must.OK(t, os.Mkdir(at("out"), 0o777))
	do(t, "survey", "plan", "--output", at("s"), path)
	commands := [][]string{{"segment", path, at("out")}, {"map", path, at("out")},
		{"survey", "plan", "--output", at("s"),
			path}, {"survey", "run", at("s")}}
	step := []string{"survey", "run", at("s"), "embed", "0"}
	for _, shared := range []bool{false, true} {
		for _, name := range []string{"out", "s"} {
			defer must.Get(atomicfile.Lock(at(name), shared))(t)()
		}
		for _, args := range append(commands, step) {
			o := try(t, args...)
			if shared && args[len(args)-1] == "0" {
				o.ok(t)
				continue
			}
			refused(t, o, "", "in use by another run")
		}
		if !shared {
			for _, name := range []string{"out", "s"} { // as if the holder were killed
				must.OK(t, os.Remove(filepath.Join(at(name), ".superpoint.lock")))
			}
		}
	}
}

func resultsOf(t *testing.T, survey string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(survey, "out", "*.la[sz]")))(t)
}

// TestOtherFormats runs the commands that are named for formats that are refused: they lose no dimension and
// no digit.
func TestOtherFormats(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 500000, 5400000, 3)
	at := place(t)
	do(t, "segment", in, at("x.laz"))
	do(t, "segment", in, at("plain.las"))
	for _, ending := range []string{"ply", "txt", "csv", "xyz"} {
		o := try(t, "segment", in, at("x."+ending))
		_, command, _ := strings.Cut(o.stderr, ", and then: ")
		runShell(t, at(""), block{place: "for " + ending, text: command})
	}
	runShell(t, at(""),
		block{place: "back", text: "pdal translate x.ply back.xyz --writers.text.precision=9"})
	text := string(must.Get(os.ReadFile(at("x.csv")))(t))
	names, rows, _ := strings.Cut(text, "\n")
	for _, other := range []string{"x.txt", "x.xyz", "back.xyz"} {
		_, got, _ := strings.Cut(string(must.Get(os.ReadFile(at(other)))(t)), "\n")
		must.Hold(t, got == rows, "%s differs from x.csv", other)
	}
	p := read(t, at("plain.las"))
	all := strings.Fields(rows)
	must.Need(t, len(all) == p.Len(), "%d rows of %d points", len(all), p.Len())
	columns := map[string][]float64{"X": p.X, "Y": p.Y, "Z": p.Z}
	maps.Copy(columns, p.Extra)
	header := strings.Split(names, ",")
	for name, want := range columns {
		k := slices.Index(header, strconv.Quote(name))
		must.Need(t, k >= 0, "%s lacks %s", names, name)
		for i := range all {
			v := must.Get(strconv.ParseFloat(strings.Split(all[i], ",")[k], 64))(t)
			must.Need(t, math.Abs(v-want[i]) <= 1e-9, "%s of point %d: %v, not %v", name, i, v, want[i])
		}
	}
}

// `pdal superpoint segment` loses nothing of what a file has.

// cloudFile writes a house as LAS of a version and point format, with infrared where
// the format has it, an extra dimension and a record of another program.
func cloudFile(t *testing.T, folder, name string, minor, format int, change ...any) string {
	t.Helper()
	in, _ := houseFile(t, 500000, 5400000, 1)
	path := filepath.Join(folder, name)
	stages := []any{reader(in), stage{"type": "filters.ferry",
		"dimensions": "Intensity=>Infrared,GpsTime=>Amplitude"}}
	pipeline(t, nil, append(append(stages, change...), stage{
		"type": "writers.las", "filename": path, "minor_version": minor, "dataformat_id": format,
		"offset_x":   500000,
		"scale_z":    0.001,
		"extra_dims": "Amplitude=double", "system_id": "a plane", "filesource_id": 77,
		"vlrs": []any{map[string]any{"description": "of theirs", "record_id": 42, "user_id": "somebody",
			"data": "aGVsbG8gdGhlcmU="}},
	})...).ok(t)
	return path
}

// segment runs the command with the model that is quickest.
func segment(t *testing.T, args ...string) outcome {
	t.Helper()
	return try(t, append([]string{"segment", "--model", "geometric"}, args...)...)
}

// kept compares a result of segment with its input: everything but the outputs is equal, and ids are dense.
func kept(t *testing.T, before, after string) *las.Points {
	t.Helper()
	from, to := must.Get(las.Read(before))(t), readAny(t, after)
	sameCloud(t, after, from, to, outputs[1:]...)
	p := to.Points()
	must.Equal(t, p.WKT, from.Points().WKT, "the reference became")
	must.Hold(t, p.WKT != "", "p.WKT is empty")
	must.Hold(t, p.Extra["Amplitude"] != nil, `p.Extra["Amplitude"] is nil`)
	dense(t, ids(t, p, "SuperpointID"))
	return p
}

// checkUnpackable checks that a result has what LAZ could not hold.
func checkUnpackable(t *testing.T, p *las.Points) {
	t.Helper()
	must.Equal(t, p.Len(), housePoints, "points")
	if wide := slices.Max(p.ScanAngle); wide != 150 {
		must.Equal(t, slices.Max(p.Classification), 66, "highest class, of scan angles up to %v", wide)
	}
}

// Points that PDAL 2.2 cannot write to LAZ are written to LAS, and the line says where. Neither
// results of segment nor results of a survey are made again.
func TestFilesThatLAZCannotHold(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]stage{
		"class 66":       {"type": "filters.assign", "assignment": "Classification[6:6]=66"},
		"scan angle 150": {"type": "filters.assign", "assignment": "ScanAngleRank[-10.5:-9.5]=150"},
	} {
		folder := t.TempDir()
		in, project := cloudFile(t, folder, "in.las", 4, 6, change), filepath.Join(folder, "survey")
		do(t, "survey", "plan", "--model", "geometric", "--output", project, in)
		var before os.FileInfo
		for again := range 2 {
			o := segment(t, in, filepath.Join(folder, "results")+"/", "--format", "json").ok(t)
			var line struct {
				Output string
				Kept   bool
			}
			err := json.Unmarshal([]byte(o.stdout), &line)
			must.Need(t, err == nil, "%s: %v", what, err)
			must.Need(t, line.Kept == (again > 0),
				"%s: line.Kept is %v, want %v", what, line.Kept, (again > 0))
			checkUnpackable(t, kept(t, in, line.Output))
			do(t, "survey", "run", project)
			made := resultsOf(t, project)
			must.Need(t, len(made) == 1, "%s: the results are %q", what, made)
			checkUnpackable(t, readAny(t, made[0]).Points())
			after := must.Get(os.Stat(made[0]))(t)
			if before != nil {
				must.Hold(t, before.ModTime().Equal(after.ModTime()),
					"%s: before.ModTime().Equal(after.ModTime()) is false", what)
			}
			before = after
		}
		packed, raw := filepath.Join(folder, "packed.laz"), filepath.Join(folder, "packed.las")
		o := segment(t, in, packed).ok(t)
		if _, err := os.Stat(packed); err == nil {
			continue
		}
		must.Say(t, o.stderr, "classes or scan angles to LAZ; the result is "+raw)
		must.OK(t, os.WriteFile(raw, []byte("weeks of work"), 0o666))
		refused(t, segment(t, "--force", in, packed), packed, raw, "not replaced")
	}
}

// Feet stay feet, and no reference stays none.
func TestSegmentKeepsTheReference(t *testing.T) {
	t.Parallel()
	for _, srs := range []string{"EPSG:2225", ""} {
		folder := t.TempDir()
		in, _ := houseFile(t, 0, 0, 1)
		given := filepath.Join(folder, "in.las")
		r := stage{"type": "readers.las", "filename": in}
		if srs != "" {
			r["override_srs"] = srs
		}
		pipeline(t, nil, r, stage{"type": "writers.las", "filename": given, "minor_version": 4,
			"dataformat_id": 7}).ok(t)
		out := filepath.Join(folder, "out.las")
		o := segment(t, given, out).ok(t)
		a, b := read(t, given), read(t, out)
		must.Equal(t, a.WKT, b.WKT, "%s: a.WKT", srs)
		must.Equal(t, srs == "", b.WKT == "", `%s: srs == ""`, srs)
		must.Equal(t, strings.Count(o.stderr, "set it with --default_srs") == 1, srs == "",
			"%s: told of --default_srs, %q", srs, o.stderr)
		segment(t, "--default_srs", "EPSG:32632", given, out).ok(t)
		b = read(t, out)
		must.Hold(t, (srs == "") == strings.Contains(b.WKT, "32632"), "%s: with a default it became %q", srs,
			b.WKT)
	}
}

// Names are taken as they are, a broken file does not keep the others from being
// done, and what is done is not done again.
func TestSegmentOfManyFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	good := cloudFile(t, folder, "good.las", 4, 3)
	tiles, out := filepath.Join(folder, "tiles é $(touch PWNED) \"[*]"),
		filepath.Join(folder, "out 'x' {1} #\n")
	must.OK(t, os.Mkdir(tiles, 0o777))
	names := []string{"n\xe9.las", "a b.las", "c#d.LAS", `e"f'g.las`, "[h]*.las"}
	for _, name := range hostileNames() {
		names = append(names, strings.ReplaceAll(name, "/", "")+".las")
	}
	text := must.Get(os.ReadFile(good))(t)
	for _, name := range names {
		must.OK(t, os.WriteFile(filepath.Join(tiles, name), text, 0o666))
	}
	must.OK(t, os.WriteFile(filepath.Join(tiles, "short.las"), text[:len(text)/2], 0o666))
	segment := func(args ...string) outcome { // in the folder where a name that is run would write
		return in(t, folder, launcher(t),
			append([]string{"superpoint", "segment", "--model", "geometric"}, args...)...)
	}
	o := segment(tiles, out, "--format", "json")
	must.Hold(t, o.code == 1, "exit code %d, want 1: %s", o.code, o.stderr)
	must.Say(t, o.stderr, fmt.Sprintf("1 of %d files failed", len(names)+1))
	must.Hold(t, regexp.MustCompile(`"error": ?"[^\n]*cut short`).MatchString(o.stdout),
		"the list of files has no error about the file that is cut short: %s", o.stdout)
	kept(t, good, filepath.Join(out, names[0]))
	checkFiles(t, out, names...)
	checkNotExecuted(t, folder)
	o = segment(filepath.Join(folder, "tiles*", "?[ #]*"), out)
	must.Equal(t, o.stdout, "", "o.stdout")
	must.Hold(t, o.code == 0, "exit code %d, want 0: %s", o.code, o.stderr)
	must.Say(t, o.stderr, "2 of 2 outputs of the same inputs")
	o = segment(filepath.Join(folder, "tiles*", "?[ #]*"), out, "--force")
	must.Hold(t, strings.Count(o.stdout, " points, ") == 2, "with --force it does\n%s", o.stdout)
}

// TestSmallFilesShareAProcess: one process runs the pipelines of several small files. A file with damaged
// points fails alone, in a process of its own, with the message that it has alone; the results of the others
// are those that each has alone.
func TestSmallFilesShareAProcess(t *testing.T) {
	t.Parallel()
	strace, at := straced(t), place(t)
	good := cloudFile(t, t.TempDir(), "good.las", 4, 3)
	must.OK(t, os.Mkdir(at("tiles"), 0o777))
	packed := at("packed.laz")
	pipeline(t, nil, reader(good), stage{"type": "writers.las", "filename": packed, "forward": "all",
		"extra_dims":    "all",
		"minor_version": 4, "compression": "laszip"}).ok(t)
	text := must.Get(os.ReadFile(packed))(t)
	names := []string{"a.laz", "c.laz", "d.laz", "e.laz"}
	for _, name := range names {
		must.OK(t, os.WriteFile(at("tiles/"+name), text, 0o666))
	}
	damaged := slices.Clone(text)
	for i := len(text) / 2; i < len(text)/2+400; i++ {
		damaged[i] ^= 0x5a
	}
	must.OK(t, os.WriteFile(at("tiles/b.laz"), damaged, 0o666))
	alone := segment(t, at("tiles/b.laz"), at("b.laz"))
	must.Need(t, alone.code == 1, "damaged points are no error: exit code %d\n%s", alone.code, alone.stderr)
	_, reason, found := strings.Cut(alone.stderr, "b.laz: ")
	must.Need(t, found, "the error does not name the file: %s", alone.stderr)

	o := outcomeOf(t, exec.Command(strace, "-f", "-qq", "-s", "200", "-e", "trace=execve", "-o",
		at("trace"), launcher(t),
		"superpoint", "segment", "--model", "geometric", "--threads", "1", at("tiles"), at("out")))
	must.Equal(t, o.code, 1, "exit code")
	must.Say(t, o.stderr, strings.TrimSpace(reason))
	must.Say(t, o.stderr, "1 of 5 files failed")
	checkFiles(t, at("out"), names...)
	trace := string(must.Get(os.ReadFile(at("trace")))(t))
	const shared = 2 // the first ends with the command that failed
	must.Equal(t, strings.Count(trace, `"superpoint", "requests"`), shared,
		"processes that run several commands")
	own := regexp.MustCompile(`"pipeline", "--stdin"`).FindAllString(trace, -1)
	must.Hold(t, len(own) <= 3,
		"%d pipelines had a process of their own; those of the damaged file are at most 3", len(own))
	must.Hold(t, len(own) >= 1, "the pipeline of the damaged file had no process of its own")

	segment(t, at("tiles/a.laz"), at("a.laz")).ok(t)
	want := readAny(t, at("a.laz"))
	for _, name := range names {
		sameCloud(t, name, want, readAny(t, at("out/"+name)))
	}
}

// TestCommandThatReadsInput: a command that reads standard input itself finds it empty, and the request that
// follows gets its answer. PDAL 2.10 reads the descriptor, not std::cin.
func TestCommandThatReadsInput(t *testing.T) {
	t.Parallel()
	request := func(args ...string) (text string) {
		list := append([]string{t.TempDir(), ""}, args...)
		text = fmt.Sprintf("%d\n", len(list))
		for _, arg := range list {
			text += fmt.Sprintf("%d\n%s", len(arg), arg)
		}
		return text
	}
	ctx, stop := context.WithTimeout(t.Context(), hanging)
	defer stop()
	c := exec.CommandContext(ctx, launcher(t), "superpoint", "requests")
	in := must.Get(c.StdinPipe())(t)
	out := bufio.NewReader(must.Get(c.StdoutPipe())(t))
	must.OK(t, c.Start())
	cloud := cloudFile(t, t.TempDir(), "cloud.las", 4, 3)
	_, err := io.WriteString(in, request("pipeline", "STDIN")+request("info", "--summary", cloud))
	must.OK(t, err)
	failed := must.Get(out.ReadString('\n'))(t)
	must.Equal(t, failed, "2\n", "length of the answer to the command that reads standard input")
	must.OK(t, in.Close())
	rest := string(must.Get(io.ReadAll(out))(t))
	must.OK(t, c.Wait())
	must.Hold(t, !strings.HasPrefix(rest, "1\n0"), "an empty pipeline succeeded: %q", rest)
	must.Say(t, rest, `"num_points"`)
}

// checkFiles fails the test unless a folder has these files only.
func checkFiles(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))(t)
	var there []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".superpoint") { // a record of ours
			there = append(there, e.Name())
		}
	}
	slices.Sort(names)
	must.Hold(t, slices.Equal(there, names), "%s holds %q, not %q", folder, there, names)
}

// TestClassCodesFitThePointFormat: formats below 6 have five bits for a class. A greater one is refused
// before points are read; the stage, which does not know the writer, warns. The campaign has both for every
// format and command.
func TestClassCodesFitThePointFormat(t *testing.T) {
	t.Parallel()
	high, low := heights.FileOf(t, 2, 64), heights.FileOf(t, 2, 31)
	folder := t.TempDir()
	in, out := cloudFile(t, folder, "in.las", 2, 3), filepath.Join(folder, "out.las")
	must.Say(t, do(t, "info", in).stdout, " Amplitude") // whose extra bytes PDAL skips in LAS 1.2
	for _, c := range []struct{ says, classes, change string }{
		{fmt.Sprintf("option classifier: %q", high), high, "all"},
		{"option class_change", low, "0,41"},
	} {
		refused(t, segment(t, "--classes", c.classes, "--class_change", c.change, in, out), out, c.says,
			"point format 3 holds 0 to 31")
	}
	for format, warns := range map[int]bool{3: true, 6: false} {
		in := cloudFile(t, folder, "in.las", 4, format)
		o := pipeline(t, nil, in, superpoint(stage{"classes": high}), writer(out)).ok(t)
		must.Hold(t, strings.Contains(o.stderr, "class 64 needs LAS point format 6") == warns,
			"format %d: the stage says\n%s", format, o.stderr)
	}
	if !hasDriver(t, "writers.copc") { // PDAL 2.2 has the flag of synthetic points in the class
		in := cloudFile(t, folder, "in.las", 4, 3, stage{"type": "filters.assign",
			"assignment": "Classification[:]=33"})
		refused(t, pipeline(t, nil, in, superpoint(stage{"classes": high, "class_change": "all"}),
			writer(out)), "",
			"where class 64 leaves no room")
	}
}

// TestOverlapPointsKeepTheirClass gives files with class 12 in a point format of five bits, where newer PDALs
// read class 0 and a flag, to every command that classifies, and reads the classes as a command does.
func TestOverlapPointsKeepTheirClass(t *testing.T) {
	t.Parallel()
	shared, at := scene(t)
	p, want := *shared, 0
	p.Classification = slices.Clone(p.Classification) // other tests read the classes of the village
	for i := 0; i < p.Len(); i += 10 {
		p.Classification[i] = 12
		want++
	}
	must.OK(t, las.WriteFile(at("plain.las"), &p, 0.001))
	pipeline(t, nil, at("plain.las"), stage{"type": "writers.las", "filename": at("in.las"),
		"dataformat_id": 3,
		"minor_version": 2, "offset_x": "auto", "offset_y": "auto", "a_srs": utm}).ok(t)
	do(t, "segment", "--classes", "aerial", at("in.las"), at("segmented.las"))
	do(t, "classify", "--labels", labelsFile(t, at("labels.csv")), at("segmented.las"), at("classified.las"))
	surveyed(t, at("survey"), "--classes", "aerial", at("in.las"))
	do(t, "map", at("in.las"), at("map"))
	must.Say(t, string(must.Get(os.ReadFile(at("map/report.html")))(t)), "<td>12</td>")
	for _, path := range []string{"segmented.las", "classified.las", "survey/out/in.las",
		"map/points/in.las"} {
		must.Equal(t, bytes.Count(read(t, at(path)).Classification, []byte{12}), want,
			"%s: points of class 12", path)
	}
}

// TestClassOfEveryPointFormat: point formats 0 to 5 have three flags in the byte of the class, later ones
// have them in another byte and classes up to 255. The stage reads the class alone.
func TestClassOfEveryPointFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		format int
		at     int  // index in the record of the byte that is set
		value  byte // of the byte
		class  int
	}{
		{"synthetic", 3, 15, 2 | 0x20, 2},
		{"key point", 1, 15, 2 | 0x40, 2},
		{"withheld", 2, 15, 2 | 0x80, 2},
		{"all flags", 0, 15, 31 | 0xE0, 31},
		{"class of overlap", 3, 15, 12, 12},
		{"class above five bits", 6, 16, 64, 64},
		{"class with lower bits", 6, 16, 66, 66},
		{"class above seven bits", 7, 16, 130, 130},
		{"largest class", 8, 16, 255, 255},
		{"flag of overlap, never classified", 6, 15, 0x08, 0},
		{"all flags of format 7, never classified", 7, 15, 0x0F, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			in := cloudFile(t, folder, "in.las", 4, c.format, stage{"type": "filters.assign",
				"assignment": "Classification[:]=0"})
			setBytes(t, in, c.at, c.value)
			out := filepath.Join(folder, "out.las")
			pipeline(t, nil, in, superpoint(stage{"vote": "Classification"}), stage{"type": "filters.assign",
				"assignment": "Classification[:]=0"}, writer(out)).ok(t)
			got := ids(t, read(t, out), "VotedClassification")
			must.Equal(t, got, map[int]int{c.class: read(t, out).Len()}, "votes of all points")
		})
	}
}

// setBytes sets a byte in every record of an uncompressed file.
func setBytes(t *testing.T, path string, at int, value byte) {
	t.Helper()
	const pointsField, lengthField = 96, 105
	b := must.Get(os.ReadFile(path))(t)
	first, length := int(le.Uint32(b[pointsField:])), int(le.Uint16(b[lengthField:]))
	points := read(t, path).Len()
	for i := range points {
		b[first+i*length+at] = value
	}
	must.OK(t, os.WriteFile(path, b, 0o666))
}
