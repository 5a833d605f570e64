// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"superpoint/filter/georef"
	"superpoint/filter/option"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/must"
)

// stepsHost is a host with one simulated file, "steps": four steps of a stair, each of another class.
type stepsHost struct {
	t     testing.TB
	out   bytes.Buffer
	said  string // the log
	reads int
	bare  bool // files have no spatial reference

	ctx    context.Context // nil = never cancelled
	points int             // of a file, with superpoints; 0 = 1200 without
}

func (m *stepsHost) Log(_ int, text string) { m.said += text + "\n" }
func (m *stepsHost) Progress(step string, f float64) {
	must.Hold(m.t, f >= 0, "%s at %v, want at least 0", step, f)
	must.Hold(m.t, f <= 1, "%s at %v, want at most 1", step, f)
}
func (m *stepsHost) Stdout() io.Writer        { return &m.out }
func (m *stepsHost) Context() context.Context { return cmp.Or(m.ctx, context.Background()) }

func (m *stepsHost) Reference(text string) (georef.Reference, error) {
	return georef.Reference{WKT: text}, nil
}
func (m *stepsHost) Same(a, b georef.Reference) (bool, error) { return a.Same(b), nil }

func (m *stepsHost) Convert(string, string, ...string) error { return errors.New("no driver") }

func (m *stepsHost) WriteRaster(string, command.Raster, []float32) error {
	return errors.New("no driver")
}

func (m *stepsHost) ReadRaster(string, int, []float32) (command.Raster, error) {
	return command.Raster{}, errors.New("no driver")
}

func (m *stepsHost) Read(path string, dimensions []string) (*command.Columns, error) {
	m.reads++
	if !strings.HasPrefix(filepath.Base(path), "steps") {
		return nil, fmt.Errorf("%s: no such file", path)
	}
	if path == "steps-empty" {
		return &command.Columns{Available: []string{"X", "Y", "Z", "Classification"}}, nil
	}
	r := rand.New(rand.NewPCG(uint64(len(path)), 2))
	c := &command.Columns{
		Dimensions: map[string][]float64{},
		Available:  []string{"X", "Y", "Z", "Classification", "Segment"},
		Reference:  georef.Reference{HorizontalUnit: 1},
	}
	if m.bare {
		c.Reference = georef.Reference{}
	}
	class, half := []float64{}, []float64{}
	for range cmp.Or(m.points, 1200) {
		x, y := 16*r.Float64(), 16*r.Float64()
		step := float64(int(x / 4))
		c.X, c.Y, c.Z = append(c.X, x), append(c.Y, y), append(c.Z, 0.2*step)
		class = append(class, 1+step)
		half = append(half, 1+float64(int(x/8)))
	}
	same := slices.Repeat([]float64{7}, len(class))
	for name, values := range map[string][]float64{"Classification": class, "Segment": half,
		"Unlabelled": make([]float64, len(class)), "Same": same} {
		if slices.Contains(dimensions, name) {
			c.Dimensions[name] = values
		}
	}
	if m.points > 0 && slices.Contains(dimensions, "SuperpointID") {
		c.Dimensions["SuperpointID"] = half
	}
	return c, nil
}

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	m := &stepsHost{t: t}
	must.OK(t, Run(m, args))
	return m.out.String()
}

func TestEvalOfAnIdDimension(t *testing.T) {
	var rows []struct {
		Superpoints int     `json:"superpoints"`
		OOA         float64 `json:"ooa"`
		UE          float64 `json:"undersegmentation_error"`
		BP          float64 `json:"bp"`
		BR          float64 `json:"br_as_coded"`
	}
	must.OK(t, json.Unmarshal([]byte(mustRun(t, "eval", "--id", "Segment", "steps", "--format", "json")),
		&rows))
	// two segments over four equally large classes: half of the points are of a
	// majority class; the one border of the segments is true, two are missed
	must.Need(t, len(rows) == 1, "len(rows) is %v, want 1", len(rows))
	must.Equal(t, rows[0].Superpoints, 2, "rows[0].Superpoints")
	must.Hold(t, rows[0].OOA >= 0.49, "rows[0].OOA is %v, want at least 0.49", rows[0].OOA)
	must.Hold(t, rows[0].OOA <= 0.53, "rows[0].OOA is %v, want at most 0.53", rows[0].OOA)
	must.Equal(t, rows[0].BP, 1, "rows[0].BP")
	must.Hold(t, rows[0].BR >= 0.2, "rows[0].BR is %v, want at least 0.2", rows[0].BR)
	must.Hold(t, rows[0].BR <= 0.5, "rows[0].BR is %v, want at most 0.5", rows[0].BR)
	text := mustRun(t, "eval", "--id", "Segment", "steps", "steps2", "--format", "json")
	must.OK(t, json.Unmarshal([]byte(text), &rows))
	must.Need(t, len(rows) == 3, "both files: len(rows) is %v, want 3", len(rows))
	must.Equal(t, rows[2].Superpoints, 4, "both files: rows[2].Superpoints")
	mustRun(t, "eval", "--id", "Segment", "--threads", "1", "steps")
}

// TestEvalOfClasses: of four equally large classes 1 to 4, Segment predicts 1 for 1 and 2, and 2 for the
// others. Without rules 3 and 4, vegetation, are one class.
func TestEvalOfClasses(t *testing.T) {
	type row struct {
		Class                  *int
		Points, Predicted      int
		Recall, Precision, IoU float64
	}
	rules := filepath.Join(t.TempDir(), "rules.yaml")
	must.OK(t, os.WriteFile(rules, []byte("- {match: '*', merge: [[1, 2]], ignore: [4]}\n"), 0o666))
	for _, c := range []struct {
		args []string
		want []row // all is last
	}{
		{nil, []row{{Points: 1, Predicted: 2, Recall: 1, Precision: 1. / 2, IoU: 1. / 2},
			{Points: 1, Predicted: 2},
			{Points: 2}, {Points: 4, Predicted: 4, Recall: 1. / 4, Precision: 1. / 4, IoU: 1. / 6}}},
		{[]string{"--rules", rules}, []row{{Points: 2, Predicted: 3, Recall: 1, Precision: 2. / 3,
			IoU: 2. / 3}, {Points: 1},
			{Points: 3, Predicted: 3, Recall: 2. / 3, Precision: 2. / 3, IoU: 1. / 3}}},
		{[]string{"--truth", "Segment", "--predicted", "Same"}, []row{{Points: 2}, {Points: 2},
			{Predicted: 4}, {Points: 4,
				Predicted: 4}}},
	} {
		args := append([]string{"eval", "--predicted", "Segment", "--format", "json", "steps", "steps"},
			c.args...)
		var rows []row
		must.OK(t, json.Unmarshal([]byte(mustRun(t, args...)), &rows))
		must.Need(t, len(rows) == len(c.want), "%v: %+v", c.args, rows)
		for k, w := range c.want {
			r := rows[k]
			// a quarter of the points
			part := float64(rows[len(rows)-1].Points) / float64(c.want[len(c.want)-1].Points)
			for _, v := range [][2]float64{{float64(r.Points) / part, float64(w.Points)},
				{r.Recall, w.Recall}, {r.IoU, w.IoU},
				{float64(r.Predicted) / part, float64(w.Predicted)}, {r.Precision, w.Precision}} {
				must.Hold(t, math.Abs(v[0]-v[1]) <= 0.1,
					"%v, row %d: %+v, want %+v: want math.Abs(v[0]-v[1]) at most 0.1", c.args, k, r, w)
				must.Hold(t, (r.Class == nil) == (k == len(rows)-1),
					"%v, row %d: %+v, want %+v: r.Class == nil is not k == len(rows)-1", c.args, k, r, w)
			}
		}
	}
	text := mustRun(t, "eval", "--predicted", "Segment", "steps")
	must.Say(t, text, "2      ground  ")
	must.Say(t, text, "3      vegetation  ")
	text = mustRun(t, "eval", "--predicted", "Segment", "--format", "csv", "steps")
	must.Hold(t, strings.HasPrefix(text, "class,name,points,predicted,recall,precision,iou\n1,"), "%s", text)
}

func TestEvalSweep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "curve.csv")
	mustRun(t, "eval", "--model", "geometric", "--target_size", "30,300", "--format", "csv", "--output",
		path, "steps",
		"steps2")
	rows := readRows(t, path)
	must.Need(t, len(rows) == 1+2*2+2, "len(rows) is %v, want %v", len(rows), 1+2*2+2)
	must.Need(t, rows[5][0] == "all", "rows[5][0] is %q, want %q", rows[5][0], "all")
	column := slices.Index(rows[0], "superpoints")
	number := func(row int) int { n, _ := strconv.Atoi(rows[row][column]); return n }
	must.Hold(t, number(1) > number(2), "want number(1) more than number(2)")
	must.Equal(t, number(5), number(1)+number(3), "number(5)")
}

func TestHelp(t *testing.T) {
	for _, c := range list() {
		must.Say(t, mustRun(t, append(strings.Fields(c.Name), "--help")...), "usage: pdal superpoint "+c.Name)
	}
	everyday, all := mustRun(t, "segment", "--help"), mustRun(t, "segment", "--help-all")
	for _, s := range option.Specs() {
		line := "--" + s.Name + " "
		must.Equal(t, strings.Contains(everyday, line), s.Common,
			"option %s, of everyday: strings.Contains(everyday, line)", s.Name)
		must.Hold(t, strings.Contains(all, line),
			"option %s, of everyday: got %q, want %q in it", s.Name, all, line)
	}
}

func TestCompare(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "report")
	args := []string{"compare", "--systems", "geom-graph,vccs,lin", "--targets", "200", "--output",
		folder, "stairs=steps", "stairs=steps2", "steps3"}
	mustRun(t, args...)
	first := must.Get(os.ReadFile(filepath.Join(folder, "results.csv")))(t)
	lines := strings.Split(strings.TrimSpace(string(first)), "\n")
	// three methods at a size, of superpoints and of components
	must.Need(t, len(lines) == 1+3*(2+2+2), "%d lines:\n%s", len(lines), first)
	text, err := os.ReadFile(filepath.Join(folder, "figure.svg"))
	must.Need(t, err == nil, "figure.svg: %v", err)
	must.Hold(t, strings.HasPrefix(string(text), "<?xml"),
		"figure.svg: got %q, want %q at its start", string(text), "<?xml")
	page, _ := os.ReadFile(filepath.Join(folder, "summary.md"))
	must.Hold(t, strings.Count(string(page), "| 200 |") == 2*3, "the table is not complete:\n%s", page)

	// cut short and begun again: only the missing lines are computed
	cut := strings.Join(lines[:len(lines)-3], "\n") + "\n" + lines[len(lines)-3][:20]
	former := must.Get((&atomicfile.Files{Force: true}).Output(filepath.Join(folder, "results.csv")))(t)
	must.OK(t, former.Write(atomicfile.Bytes([]byte(cut))))
	mustRun(t, args...)
	second, _ := os.ReadFile(filepath.Join(folder, "results.csv"))
	again := strings.Split(strings.TrimSpace(string(second)), "\n")
	must.Need(t, len(again) == len(lines), "%d lines after continuing, want %d", len(again), len(lines))
	must.Equal(t, again[:len(lines)-3], lines[:len(lines)-3],
		"results that were there, with the same seconds")

	// another measure is no continuation
	for _, other := range [][]string{{"--adjacency_knn", "7"}, {"--instances", "Segment"}} {
		must.Fail(Run(&stepsHost{t: t}, append(slices.Clone(args), other...)))(t, "basis.yaml")
	}
	basis := filepath.Join(folder, "basis.yaml")
	text = must.Get(os.ReadFile(basis))(t)
	older, _, _ := bytes.Cut(text, []byte("inputs:")) // without hashes
	must.OK(t, must.Get((&atomicfile.Files{Force: true}).Output(basis))(t).Write(atomicfile.Bytes(older)))
	must.Fail(Run(&stepsHost{t: t}, args))(t,
		"results.csv has results of stairs/steps, and basis.yaml no hash")
	must.OK(t, os.Remove(basis))
	must.Fail(Run(&stepsHost{t: t}, args))(t, "there is no")
	last, _ := os.ReadFile(filepath.Join(folder, "results.csv"))
	must.Hold(t, bytes.Equal(last, second), "a refused comparison changed the results")
}

// TestCompareWithGivenSegments compares the segments of the file, the halves of the stairs, with a method.
func TestCompareWithGivenSegments(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "report")
	args := []string{"compare", "--systems", "geom-graph,id:Segment", "--targets", "200", "--output",
		folder, "steps"}
	mustRun(t, args...)
	mustRun(t, args...)
	rows := readRows(t, filepath.Join(folder, "results.csv"))
	must.Need(t, len(rows) == 4, "%v", rows)
	at := func(name string) string { return rows[3][slices.Index(rows[0], name)] }
	must.Equal(t, at("system"), "id:Segment", `at("system")`)
	must.Equal(t, at("option"), "given", `at("option")`)
	must.Equal(t, at("segments"), "2", `at("segments")`)
	ooa := must.Get(strconv.ParseFloat(at("ooa"), 64))(t)
	must.Hold(t, ooa >= 0.50, "OOA %v, want at least 0.50", ooa)
	must.Hold(t, ooa < 0.52, "OOA %v, want less than 0.52", ooa)
	must.Equal(t, at("error"), "", `at("error")`)
	page := must.Get(os.ReadFile(filepath.Join(folder, "summary.md")))(t)
	must.Hold(t, strings.Contains(string(page), "as given"), "the report has no line of it")
}

func TestCompareKeepsOtherResults(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "report")
	must.Fail(Run(&stepsHost{t: t}, []string{"compare", "--systems", "geom-graph,vccs", "--targets",
		"50", "--output",
		folder, "steps", "missing"}))(t, "1 of 2 files could not be measured")
	page, err := os.ReadFile(filepath.Join(folder, "summary.md"))
	must.OK(t, err)
	must.Say(t, string(page), "geom-graph")
}

// TestCompareOfNothing: a comparison that measures nothing leaves no folder, and no other results than there
// were, also with --force.
func TestCompareOfNothing(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "report")
	run := func(more ...string) error {
		return Run(&stepsHost{t: t},
			append([]string{"compare", "--targets", "50", "--output", folder}, more...))
	}
	nothing := [][]string{
		{"--systems", "vccs", "missing"}, {"--truth", "Unlabelled", "--systems", "vccs", "steps"},
		{"--systems", "vccs+voxel=1e9", "steps"},
	}
	for _, args := range nothing {
		must.Fail(run(args...))(t, "")
		must.Fail(os.Stat(folder))(t, "no such file")
	}
	must.OK(t, run("--systems", "vccs", "steps"))
	before := contents(t, folder)
	for _, args := range nothing[:2] {
		must.Fail(run(append(args, "--force")...))(t, "nothing could be measured")
		must.Equal(t, contents(t, folder), before, "results after %v", args)
	}
}

// TestCompareAgain: --force measures again what was measured otherwise, in place of the results.
func TestCompareAgain(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "report")
	args := []string{"compare", "--systems", "vccs", "--targets", "50", "--output", folder, "steps"}
	mustRun(t, args...)
	path := filepath.Join(folder, "results.csv")
	before := readRows(t, path)
	other := append(args, "--adjacency_knn", "9")
	must.Fail(Run(&stepsHost{t: t}, other))(t, "was not measured as is asked for now",
		"add --force to start again")
	must.Equal(t, readRows(t, path), before, "results after a refusal")
	mustRun(t, append(other, "--force")...)
	mustRun(t, other...)
	must.Equal(t, len(readRows(t, path)), len(before), "rows")
}

// TestCompareOtherFilesOfAName: results are by the names of files, so two files of a data set may not share
// one, and a file that has changed is no continuation.
func TestCompareOtherFilesOfAName(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(folder, content string) string {
		must.OK(t, os.MkdirAll(folder, 0o755))
		path := filepath.Join(folder, "steps")
		must.OK(t, os.WriteFile(path, []byte(content), 0o644))
		return path
	}
	one, other := put("one", "1"), put("other", "2")
	args := []string{"compare", "--systems", "geom-graph", "--targets", "50"}
	for _, set := range []string{"", "town="} {
		must.Fail(Run(&stepsHost{t: t}, append(args, set+one, set+other)))(t, other,
			"another file of data set", "NAME=FILE")
	}
	mustRun(t, append(args, "a="+one, "b="+other)...)
	lines := len(readRows(t, "report/results.csv"))
	must.Hold(t, lines == 1+2*2, "%d lines", lines)
	put("other", "3")
	must.Fail(Run(&stepsHost{t: t}, append(args, "b="+other)))(t, "b/steps was another file")
	mustRun(t, append(args, "a="+one)...)
	must.Fail(Run(&stepsHost{t: t}, append(args, "a="+one, "b="+other)))(t, "b/steps was another file")
	put("other", "2")
	for _, content := range []string{"no cloud", "corrected"} { // a file that was not measured may change
		must.OK(t, os.WriteFile("broken", []byte(content), 0o644))
		must.Fail(Run(&stepsHost{t: t}, append(args, "b="+other, "c="+put("third", "3"), "broken")))(t,
			"1 of 3 files")
	}
	lines = len(readRows(t, "report/results.csv"))
	must.Hold(t, lines == 1+3*2, "%d lines", lines)
}

func TestRender(t *testing.T) {
	folder := t.TempDir()
	for _, args := range [][]string{
		{"--panels", "input,superpoint,embedding", "--model", "geometric", "--width", "200"},
		{"--panels", "superpoint", "--id", "Segment", "--tilt", "90", "--width", "200"},
		{"--panels", "Classification,boundaries", "--model", "geometric", "--width", "200"},
	} {
		path := filepath.Join(folder, "picture.png")
		mustRun(t, append([]string{"render", "steps", path}, args...)...)
		text, err := os.ReadFile(path)
		must.Need(t, err == nil, "%v: %v", args, err)
		must.Hold(t, strings.HasPrefix(string(text), "\x89PNG"),
			"%v: got %q, want %q at its start", args, string(text), "\x89PNG")
		os.Remove(path)
	}
}

// TestRemedyOfCommands: if the unit of coordinates is unknown, commands name an option of
// segment, not one of a reader, which they do not have. The message names its file.
func TestRemedyOfCommands(t *testing.T) {
	h := &stepsHost{t: t, bare: true}
	out := filepath.Join(t.TempDir(), "mesh.stl")
	must.OK(t, Run(h, []string{"mesh", "--id", "Segment", "steps", out}))
	must.Hold(t, strings.Contains(h.said, "set it with --default_srs)"), "it said %q", h.said)
	out = filepath.Join(t.TempDir(), "outlines.geojson")
	h.said = ""
	writeFiles(t, map[string]int{"steps.las": 1200, "steps2.las": 1200})
	must.OK(t, Run(h, []string{"outline", "--id", "Segment", "steps.las", "steps2.las", out}))
	must.Say(t, h.said, "steps.las: the file has no spatial reference",
		"the same in 1 further file (steps2.las): the file has no spatial reference")
	err := command.Error{Err: fmt.Errorf("unit 0: set it with %s: %w", georef.Override, os.ErrInvalid)}
	must.Say(t, err.Error(), "--override_srs")
	must.Hold(t, errors.Is(err, os.ErrInvalid), "error %v, want os.ErrInvalid", err)
}

// TestEveryOptionOfEveryCommand sets each option of each command to malformed and extreme
// numbers. The command must return an error that names the option, or a result, within a
// time limit. Options of numbers reject values that are not finite or too large.
func TestEveryOptionOfEveryCommand(t *testing.T) {
	hostile := []string{"nan", "inf", "-inf", "1e308", "-1e308", "-1", "0", "1e-320",
		"99999999999999999999", "0x10",
		"1,5", "", "three"}
	tried, refused := 0, 0
	t.Chdir(t.TempDir()) // some values are names of outputs
	for _, c := range list() {
		for _, f := range commandFlags(c) {
			for k, value := range hostile {
				if !f.number && k%5 != 0 {
					continue // what takes no number sees some of them
				}
				err := withOption(t, c.Name, "--"+f.name+"="+value)
				tried++
				if err != nil {
					refused++
				}
				if f.number && slices.Contains([]string{"nan", "inf", "-inf", "1e308", "99999999999999999999",
					"three"}, value) {
					must.Fail(err)(t, f.name)
				}
				if err != nil {
					must.Hold(t, !strings.Contains(err.Error(), "internal error"),
						"%s --%s=%s: got %q, want no %q in it",
						c.Name, f.name, value, err.Error(), "internal error")
				}
			}
		}
	}
	t.Logf("%d values, %d refused", tried, refused)
	must.Hold(t, tried >= 1000, "only %d values; are these all options?", tried)
}

type commandFlag struct {
	name   string
	number bool
}

// commandFlags lists the options of a command.
func commandFlags(c command.Command) (all []commandFlag) {
	a := command.NewArguments(c.Name, nil)
	c.Define(a)
	a.VisitAll(func(f *pflag.Flag) {
		// of package cli, and of pflag
		number := []string{"number", "integer", "float64", "int", "int64", "uint"}
		all = append(all, commandFlag{f.Name, slices.Contains(number, f.Value.Type())})
	})
	return all
}

// TestNegativeNumbers: a negative number that pdal has divided is the same as behind an equals sign, of each
// option.
func TestNegativeNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	refused := 0
	for _, c := range list() {
		for _, f := range commandFlags(c) {
			if !f.number {
				continue
			}
			joined, divided := withOption(t, c.Name, "--"+f.name+"=-400"), withOption(t, c.Name, "--"+f.name,
				"-4", "-0", "-0")
			refused++
			must.Need(t, joined != nil, "%s --%s: no error", c.Name, f.name)
			must.Need(t, divided != nil, "%s --%s: no error", c.Name, f.name)
			must.Equal(t, joined.Error(), divided.Error(), "%s --%s: joined.Error()", c.Name, f.name)
			must.Hold(t, strings.Contains(joined.Error(), "-400"),
				"%s --%s: got %q, want %q in it", c.Name, f.name, joined.Error(), "-400")
		}
	}
	must.Hold(t, refused >= 40, "only %d options; are these all?", refused)
}

// withOption runs a command with one option on the four steps.
func withOption(t *testing.T, command string, option ...string) error {
	dir := t.TempDir()
	outputs := map[string]string{"render": "a.png", "outline": "a.geojson", "mesh": "a.stl", "table": "a.csv",
		"graph": "a.csv", "segment": "a.laz"}
	args := append(strings.Fields(command), option...)
	switch command {
	case "survey run":
		args = append(args, dir)
	case "compare":
		if !strings.HasPrefix(option[0], "--output") {
			args = append(args, "--output", dir)
		}
		args = append(args, "--systems", "vccs", "--targets", "100", "steps")
		args = append(args, option...) // again, as the last one counts
	case "survey plan":
		args = append(args, "--output", dir, filepath.Join(dir, "nothing.las"))
	case "info":
		args = append(args, filepath.Join(dir, "nothing.las"))
	default:
		args = append(args, "steps")
		if name := outputs[command]; name != "" {
			args = append(args, filepath.Join(dir, name))
		}
	}
	const hanging = 10 * time.Minute // each takes less than a second on a quiet machine
	ctx, cancel := context.WithTimeout(t.Context(), hanging)
	defer cancel()
	err := Run(&stepsHost{t: t, ctx: ctx, points: 400}, args)
	must.Hold(t, ctx.Err() == nil, "%q does not end", args)
	return err
}

// TestEvalOfManyNeighbors: eval finds as many neighbors as an option of the stage asks for.
func TestEvalOfManyNeighbors(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"--knn", "--adjacency_knn"} {
		t.Run(option, func(t *testing.T) {
			for _, count := range []string{"1", "20", "21", "64"} {
				mustRun(t, "eval", "--model", "geometric", option, count, "steps")
			}
		})
	}
}
