// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"superpoint/filter/host"
	"superpoint/filter/memory"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	other "superpoint/testdata/las"
	"superpoint/testdata/must"
)

func TestAssign(t *testing.T) {
	folder := t.TempDir()
	made := func(name string) string {
		path := filepath.Join(folder, name)
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.OK(t, os.WriteFile(path, nil, 0o666))
		return path
	}
	a, b, c := made("in/a.las"), made("in/b.ply"), made("in/c.copc.laz")
	there := filepath.Join(folder, "in")
	for _, test := range []struct {
		inputs []string
		out    string
		want   string // names of the outputs, or words of the error
	}{
		{[]string{a}, "x.laz", "x.laz"},
		{[]string{a}, "x.copc.laz", "x.copc.laz"},
		{[]string{a}, "results/", "results/a.las"},
		{[]string{a}, "results", "results/a.las"},
		{[]string{a, b, c}, "results", "results/a.las results/b.laz results/c.copc.laz"},
		{[]string{a, b}, "results.v2", "results.v2/a.las results.v2/b.laz"},
		{[]string{b}, there, filepath.Join(there, "b.laz")},
		{[]string{a, b}, "x.laz", "2 inputs; name a folder"},
		{[]string{a, b}, "x.vpc", "x.vpc: results are LAS, LAZ or COPC, which keep"},
		{[]string{a}, "x.VPC", "x.VPC: results are LAS"},
		{[]string{a}, "x.ply",
			"write x.laz, and then: pdal translate x.laz x.ply --writers.ply.storage_mode="},
		{[]string{a}, "x.shp", "which keep all of the input; write x.laz"},
		{[]string{a}, b, "is a file"},
		{[]string{b, "/elsewhere/b.laz"}, "results", "may both become results/b.laz"},
		{[]string{a, "/elsewhere/a.laz"}, "results", "may both become results/a.las"},
		{[]string{c, "/elsewhere/c.las"}, "results", "results/c.copc.laz results/c.las"},
	} {
		tasks, isFolder, err := assign(test.inputs, test.out, false)
		if err != nil {
			must.Hold(t, strings.Contains(err.Error(), test.want), "%s: %v, not %s", test.out, err, test.want)
			continue
		}
		var got []string
		for k, task := range tasks {
			got = append(got, task.output)
			must.Hold(t, task.input == test.inputs[k], "%s: task %d reads %s", test.out, k, task.input)
		}
		must.Equal(t, strings.Join(got, " "), test.want, `%s: strings.Join(got, " ")`, test.out)
		must.Hold(t, isFolder != (test.want == test.out),
			"%s: isFolder equals test.want == test.out: %v", test.out, isFolder)
	}
}

func TestAssignCOPC(t *testing.T) {
	t.Parallel()
	tasks, _, err := assign([]string{"a.las", "b.copc.laz"}, "results", true)
	must.OK(t, err)
	must.Equal(t, tasks[0].output, "results/a.copc.laz", "tasks[0].output")
	must.Equal(t, tasks[1].output, "results/b.copc.laz", "tasks[1].output")
	tasks, _, err = assign([]string{"a.las"}, "b.copc.laz", true)
	must.OK(t, err)
	must.Equal(t, tasks[0].output, "b.copc.laz", "tasks[0].output")
	must.Fail(assign([]string{"a.las"}, "b.laz", true))(t, "option copc")
}

// A result is kept only if the same input, options and files that they name made it.
func TestTaskDone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	in := write("a.las", "points")
	given := func() *segmenter {
		return &segmenter{Request: Request{Options: map[string]string{"model": "/m", "threads": "2"}},
			content: map[string]string{"model": "x"}}
	}
	prepared := func(s *segmenter) task {
		t.Helper()
		return task{input: in, output: filepath.Join(folder, "out.laz"), record: must.Get(s.recordOf(in))(t)}
	}
	one := prepared(given())
	out := filepath.Join(folder, "out.las")
	must.OK(t, other.WriteFile(out, new(other.Points), 0))
	record := func(path string) { // as an output of this program
		files := &atomicfile.Files{Force: true}
		must.OK(t, must.Get(files.Output(path))(t).File(func(to string) error { return os.Rename(path, to) }))
	}
	must.Hold(t, one.done() == "", "a file of somebody else is a result")
	must.OK(t, one.record.Write(out))
	must.Hold(t, one.done() == "", "a file that was changed is a result")
	record(out)
	must.Hold(t, one.done() == out, "%q, not %s, is the result", one.done(), out)
	for name, change := range map[string]func(s *segmenter){
		"options": func(s *segmenter) { s.Options["knn"] = "7" },
		"model":   func(s *segmenter) { s.content["model"] = "y" },
		"where":   func(s *segmenter) { s.Where = "Z > 1" },
		"srs":     func(s *segmenter) { s.Default = "EPSG:2056" },
		"build":   func(s *segmenter) { s.software += "1" },
	} {
		s := given()
		change(s)
		must.Equal(t, prepared(s).done(), "", "result with another %s", name)
	}
	s := given()
	s.Options["threads"] = "7"
	must.Equal(t, prepared(s).done(), out, "result with other threads")
	other := prepared(s)
	other.record.Source = "another"
	must.Fail(0, s.writeUnpacked(other, ""))(t, "made from another input")
	write("a.las", "other ")
	must.Equal(t, prepared(given()).done(), "", "result of another input of the same name")
}

// The options are good in any folder: a model file is a copy with a whole path, a built-in model has its
// name, also where a file has that name. The record has names.
func TestSegmentOptions(t *testing.T) {
	model := must.Get(os.ReadFile("../../../embed/models/aerial.safetensors"))(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"mine", "aerial"} {
		must.OK(t, os.WriteFile(name, model, 0o666))
	}
	for _, given := range []string{"mine", "aerial", "auto", "geometric"} {
		s := &segmenter{Request: Request{Options: map[string]string{"model": given}}}
		must.OK(t, s.check())
		done := must.Get(s.pin("."))(t)
		reading := s.Options["model"]
		if given == "mine" {
			must.Hold(t, filepath.IsAbs(reading), "model %s is read from %s", given, reading)
			must.Equal(t, must.Get(os.ReadFile(reading))(t), model, "the copy of the model")
		} else {
			must.Equal(t, reading, given, "model")
		}
		m := must.Get(s.recordOf("mine"))(t)
		must.Equal(t, m.Options["model"], given, "recorded model")
		done()
	}
	must.Equal(t, len(must.Get(os.ReadDir("."))(t)), 2, "files left")
	must.Fail((&segmenter{Request: Request{Options: map[string]string{"target_size": "0"}}}).check())(t,
		"target_size")
}

// TestPointsAreCounted: a result with fewer points than the file is an error, but for those that where cannot
// take along from a file that is no LAS.
func TestPointsAreCounted(t *testing.T) {
	for _, c := range []struct {
		reader, where         string
		file, read, segmented int64
		words                 string // of the warning or the error; "" = neither
	}{
		{"readers.las", "", 9, 9, 9, ""},
		{"readers.las", "", 9, 9, 8, "8 points can be read"},
		{"readers.las", "", 9, 8, 8, "8 points can be read"},
		{"readers.las", "Z > 1", 9, 9, 4, ""},
		{"readers.las", "Z > 1", 9, 8, 4, "8 points can be read"},
		{"readers.ply", "Z > 1", 9, 8, 4, "1 point without finite coordinates left out"},
		{"readers.ply", "Z > 1", 9, 9, 4, ""},
		{"readers.ply", "", 9, 8, 8, "8 points can be read"},
		{"readers.text", "", sources.Unknown, 8, 8, ""},
	} {
		said := ""
		w := &work{segmenter: &segmenter{Request: Request{Where: c.where}}}
		w.Process = pdalprocess.Process{Warn: func(text string) { said = text }}
		if err := w.checkCount(&pdalprocess.Schema{Reader: c.reader, Points: c.file}, c.segmented,
			c.read); err != nil {
			said = err.Error()
		}
		must.Hold(t, strings.Contains(said, c.words), "%+v: got %q, want %q in it", c, said, c.words)
		if c.words == "" {
			must.Equal(t, said, "", "%+v: said", c)
		}
	}
}

// TestOutputsHoldFormerValues: a dimension that is there keeps a type that holds its values.
func TestOutputsHoldFormerValues(t *testing.T) {
	w := &work{segmenter: &segmenter{Request: Request{Options: map[string]string{"model": "geometric"}}}}
	_, all, err := w.dimensions(
		&pdalprocess.Schema{Dimensions: []las.Column{{Name: "SuperpointID", Type: "int16"},
			{Name: "Embedding1", Type: "double"}}})
	must.OK(t, err)
	for k, want := range []string{"int64", "float", "double", "float"} {
		must.Hold(t, all[k].Type == want, "%+v, not %s", all[k], want)
	}
}

// printed is a host that keeps what is printed and logged.
type printed struct {
	host.Host
	text strings.Builder
}

func (p *printed) Context() context.Context { return context.Background() }
func (p *printed) Stdout() io.Writer        { return &p.text }
func (p *printed) Log(_ int, text string)   { fmt.Fprintln(&p.text, text) }

func (p *printed) say(format string, values ...any) error {
	p.Log(0, fmt.Sprintf(format, values...))
	return nil
}

// TestReportsInOrder: tasks that run at once are reported in the order of the inputs, whichever ends first,
// and nothing is reported after a full disk.
func TestReportsInOrder(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	for _, test := range []struct {
		ends   []int
		full   int // task that fills the disk
		report string
	}{
		{[]int{0, 1, 2, 3}, -1, "a b! c d"}, {[]int{3, 2, 1, 0}, -1, "a b! c d"},
		{[]int{2, 0, 3, 1}, -1, "a b! c d"},
		{[]int{3, 2, 1, 0}, 2, "a b! c!"}, {[]int{3, 1, 0, 2}, 2, "a b! c!"},
	} {
		h := &printed{}
		b := &batch{segmenter: &segmenter{Request: Request{Say: h.say}, host: h},
			done: make([]*segmented, len(names))}
		for _, name := range names {
			b.tasks = append(b.tasks, task{input: name, output: name})
		}
		for _, k := range test.ends {
			o := &segmented{Input: names[k], Output: names[k], Points: 1, written: 1}
			switch k {
			case 1:
				o.err = errors.New("is broken")
			case test.full:
				o.err = fmt.Errorf("write: %w", syscall.ENOSPC)
			}
			_ = b.finish(k, o)
		}
		var got []string
		for line := range strings.Lines(h.text.String()) {
			name, rest, _ := strings.Cut(line, ":")
			if !strings.Contains(rest, "1 point") {
				name += "!"
			}
			got = append(got, name)
		}
		text := strings.Join(got, " ")
		must.Equal(t, text, test.report, "ends %v: text", test.ends)
		must.Equal(t, len(b.failed.Inputs), strings.Count(text, "!"), "ends %v: failed", test.ends)
		full := test.full >= 0
		must.Equal(t, full, b.err != nil, "ends %v: full", test.ends)
		if !full {
			must.Equal(t, strings.Join(b.outputs, " "), "a c d",
				`ends %v: strings.Join(b.outputs, " ")`, test.ends)
		}
	}
}

// TestAtOnce: no more tasks run at once than there are threads, tasks, and room for; a named GPU has one.
func TestAtOnce(t *testing.T) {
	small, unknown := filepath.Join(t.TempDir(), "small.xyz"), filepath.Join(t.TempDir(), "unknown.e57")
	must.OK(t, os.WriteFile(small, []byte("1 2 3\n"), 0o666))
	must.OK(t, os.WriteFile(unknown, nil, 0o666))
	for _, test := range []struct {
		threads, device string
		inputs          []string
		kept            int
		want, each      int
	}{
		{"4", "cpu", []string{small, small, small}, 0, 3, 1},
		{"8", "auto", []string{small, small, small}, 0, 3, 2},
		{"2", "auto", []string{small, small, small}, 0, 2, 1}, {"1", "auto", []string{small, small}, 0, 1, 0},
		{"4", "cuda:0", []string{small, small}, 0, 1, 0}, {"4", "auto", []string{small, unknown}, 0, 1, 0},
		{"6", "auto", []string{small, small, small}, 1, 2, 3}, {"6", "auto", []string{small, small}, 1, 1, 0},
	} {
		s := &segmenter{Request: Request{Options: map[string]string{"threads": test.threads,
			"device": test.device}}}
		var tasks []task
		for k, input := range test.inputs {
			tasks = append(tasks, task{input: input})
			if k < test.kept {
				tasks[k].kept = input
			}
		}
		got := s.atOnce(tasks)
		must.Equal(t, got, test.want, "%+v", test)
		must.Equal(t, s.threads, test.each, "%+v: s.threads", test)
	}
}

// TestSelection: an alternative of where does not leave the polygons.
func TestSelection(t *testing.T) {
	for _, c := range []struct{ where, area, want string }{
		{"", "", ""}, {"Z > 1", "", "Z > 1"}, {"", "a.gpkg", "InArea == 1"},
		{"Z > 1 || Z < 0", "a.gpkg", "(Z > 1 || Z < 0) && (InArea == 1)"},
	} {
		r := Request{Where: c.where, Area: c.area}
		got := r.selection()
		must.Equal(t, got, c.want, "%+v", c)
		must.Equal(t, r.selects(), c.want != "", "%+v: r.selects()", c)
	}
}

// TestProgressOfABatch: the first task that is not reported is shown, with the time left by the sizes of the
// inputs that are not kept; the outputs have those that are kept.
func TestProgressOfABatch(t *testing.T) {
	h, folder := &printed{}, t.TempDir()
	b := &batch{segmenter: &segmenter{Request: Request{Where: "Z > 1", Say: (&printed{}).say}, host: h},
		done: make([]*segmented, 3)}
	for k, name := range []string{"a", "b", "c"} {
		path := filepath.Join(folder, name)
		must.OK(t, os.WriteFile(path, make([]byte, 100<<k), 0o666))
		b.tasks = append(b.tasks, task{input: path, output: name})
	}
	b.tasks[0].kept = "a"
	for _, task := range b.tasks {
		b.bytes += task.bytes()
	}
	label := func(k int, want string, shown bool) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) { // whose clock stands still
			b.began = time.Now().Add(-time.Minute)
			text, is := b.label(k)
			must.Equal(t, text, want, "label of task %d", k)
			must.Equal(t, is, shown, "task %d is shown", k)
		})
	}
	label(0, "1/3 a: ", true)
	_ = b.finish(0, &segmented{Output: "a", Kept: true})
	label(1, "2/3 b: ", true)
	label(2, "3/3 c: ", false)
	_ = b.finish(1, &segmented{Output: "b"})
	label(2, "3/3 c, 2 min left: ", true)
	_ = b.finish(2, &segmented{err: errors.New("is broken")})
	n := b.finished()
	must.Equal(t, b.bytes, 600, "bytes")
	must.Equal(t, n, 2, "finished")
	must.Equal(t, strings.Join(b.outputs, " "), "a b", `strings.Join(b.outputs, " ")`)
	must.Fail(b.summarise())(t, "1 of 3 files failed")
	text := h.text.String()
	must.Say(t, text, "1 of 3 outputs")
	must.Hold(t, !strings.Contains(text, "no points are"),
		"got %q, want no %q in it", text, "no points are")
	b.failed = Failed{}
	must.OK(t, b.summarise())
	must.Hold(t, !strings.Contains(h.text.String(), "no points are processed"),
		"what is kept may have points: %s", h.text.String())
	b.kept = 0
	must.OK(t, b.summarise())
	must.Hold(t, strings.Contains(h.text.String(), "no points are processed"), "no point selected: %s",
		h.text.String())
}

// TestWarningsOfFiles: a warning of a file is logged with its name; that nothing is selected is none.
func TestWarningsOfFiles(t *testing.T) {
	for where, want := range map[string]string{
		"":      "a.las: odd\na.las: nothing to segment: no points\n",
		"Z > 1": "a.las: odd\n",
	} {
		h := &printed{}
		s := &segmenter{Request: Request{Where: where}, host: h}
		w := &work{segmenter: s, task: task{input: "in/a.las"}}
		w.warn("odd")
		w.warn("nothing to segment: no points")
		must.Equal(t, h.text.String(), want, "where %q", where)
	}
}

// TestMemoryOfTasks: of files that need two fifths of half the memory left no more than that holds run at
// once.
func TestMemoryOfTasks(t *testing.T) {
	half := float64(memory.Processes(1<<20)) * (1 << 20)
	path := filepath.Join(t.TempDir(), "large.ply")
	must.OK(t,
		os.WriteFile(path, fmt.Appendf(nil, "ply\nformat binary_little_endian 1.0\nelement vertex %.0f\n"+
			"property double x\nend_header\n", max(1e6, (half/2.5-programBytes)/pointBytes)), 0o666))
	s := &segmenter{Request: Request{Options: map[string]string{"threads": "64"}}}
	got := s.atOnce(slices.Repeat([]task{{input: path}}, 16)) // memory is freed and taken meanwhile
	must.Hold(t, got <= 4, "%d tasks at once, with half of %.3g bytes for them", got, half)
}

// header writes a file of two points, in opposite corners, and reads its header.
func header(t *testing.T, path string, least, most float64) *las.File {
	t.Helper()
	at := []float64{least, most}
	must.OK(t, other.WriteFile(path, &other.Points{X: at, Y: at, Z: at}, 0.01))
	return must.Get(las.Read(path))(t)
}

// TestWarningOfBounds: points outside the bounds of a header by more than ten steps and a hundredth of its
// extent are reported; a header without an extent says nothing.
func TestWarningOfBounds(t *testing.T) {
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	for _, c := range []struct {
		least, most, from, to float64
		warned                bool
	}{
		{0, 100, 0, 101, false}, {0, 100, -1, 100, false}, {0, 100, 0, 101.2, true},
		{0, 100, -1.2, 100, true},
		{0, 1, 0, 1.1, false}, {0, 0, -9, 9, false},
	} {
		said := ""
		w := &work{segmenter: &segmenter{}}
		w.Process = pdalprocess.Process{Warn: func(text string) { said = text }}
		w.warnOfBounds(header(t, at("a.las"), c.least, c.most), header(t, at("b.las"), c.from, c.to))
		must.Hold(t, (said != "") == c.warned, "%+v: %q", c, said)
	}
}

// TestForceNamesTheOutput: where a result becomes LAS, --force replaces no file of that name of somebody
// else.
func TestForceNamesTheOutput(t *testing.T) {
	folder := t.TempDir()
	foreign, made := filepath.Join(folder, "out.las"), filepath.Join(folder, "made.las")
	for _, path := range []string{foreign, made} {
		must.OK(t, os.WriteFile(path, []byte(path), 0o666))
	}
	s := &segmenter{Request: Request{Files: &atomicfile.Files{Force: true}}, host: &printed{}}
	must.Fail(0, s.writeUnpacked(task{output: filepath.Join(folder, "out.laz")}, made))(t,
		"out.las is not replaced")
	must.Equal(t, string(must.Get(os.ReadFile(foreign))(t)), foreign, "the foreign file")
}

// TestReportOfAFile: points and superpoints are those of the stage, and the points that were written are
// counted apart.
func TestReportOfAFile(t *testing.T) {
	done := new(segmented)
	done.fill(result{points: 90, stage: &stage{Points: 100, Superpoints: 7}}, time.Now())
	must.Equal(t, done.Points, 100, "points of the stage")
	must.Equal(t, done.Superpoints, 7, "superpoints")
	must.Equal(t, done.written, 90, "points that were written")
}
