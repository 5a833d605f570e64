package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"superpoint/filter/child"
)

func TestAssign(t *testing.T) {
	folder := t.TempDir()
	made := func(name string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b, c := made("in/a.las"), made("in/b.ply"), made("in/c.copc.laz")
	there, ept := filepath.Join(folder, "in"), "https://example.org/survey/ept.json?key=1"
	for _, test := range []struct {
		inputs []string
		out    string
		want   string // names of the outputs, or words of the error
	}{
		{[]string{a}, "x.laz", "x.laz"},
		{[]string{a}, "x.copc.laz", "x.copc.laz"},
		{[]string{a}, "results/", "results/a.las"},
		{[]string{a}, "results", "results/a.las"},
		{[]string{a, b, c, ept}, "results", "results/a.las results/b.laz results/c.copc.laz results/survey.laz"},
		{[]string{a, b}, "results.v2", "results.v2/a.las results.v2/b.laz"},
		{[]string{b}, there, filepath.Join(there, "b.laz")},
		{[]string{a, b}, "x.laz", "2 inputs; name a folder"},
		{[]string{a}, "x.ply", "choose a name that ends in .laz"},
		{[]string{a}, b, "is a file"},
		{[]string{b, "/elsewhere/b.laz"}, "results", "would both become results/b.laz"},
	} {
		tasks, isFolder, err := assign(test.inputs, test.out)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, not %s", test.out, err, test.want)
			}
			continue
		}
		var got []string
		for k, task := range tasks {
			got = append(got, task.output)
			if task.input != test.inputs[k] {
				t.Errorf("%s: task %d reads %s", test.out, k, task.input)
			}
		}
		if strings.Join(got, " ") != test.want || isFolder == (test.want == test.out) {
			t.Errorf("%s: %v in a folder: %v, not %s", test.out, got, isFolder, test.want)
		}
	}
}

func TestTaskDone(t *testing.T) {
	folder := t.TempDir()
	one := task{input: filepath.Join(folder, "a.copc.laz"), output: filepath.Join(folder, "out.copc.laz")}
	at := func(path string, age time.Duration) {
		t.Helper()
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	at(one.input, time.Hour)
	if got := one.done(); got != "" {
		t.Errorf("%s is not there", got)
	}
	at(one.output, 2*time.Hour)
	if got := one.done(); got != "" {
		t.Errorf("%s is older than its input", got)
	}
	beside := filepath.Join(folder, "out.las")
	at(beside, time.Minute)
	if got := one.done(); got != beside {
		t.Errorf("%q, not %s, is the result", got, beside)
	}
}

func TestExtraDimensions(t *testing.T) {
	s := &child.Schema{Dimensions: []child.Field{{Name: "X", Type: "double"}, {Name: "Red", Type: "uint16"},
		{Name: "ScanChannel", Type: "uint8"}, {Name: "GpsTime", Type: "double"}, {Name: "Amplitude", Type: "float"},
		{Name: "SuperpointID", Type: "double"}}}
	for _, test := range []struct {
		format int
		want   string
	}{
		{0, "SuperpointID=uint32,Red=uint16,ScanChannel=uint8,GpsTime=double,Amplitude=float"},
		{3, "SuperpointID=uint32,ScanChannel=uint8,Amplitude=float"},
		{6, "SuperpointID=uint32,Red=uint16,Amplitude=float"},
		{8, "SuperpointID=uint32,Amplitude=float"},
	} {
		if got := extraOf(s, test.format, []child.Field{{Name: "SuperpointID", Type: "uint32"}}); got != test.want {
			t.Errorf("format %d: %s, not %s", test.format, got, test.want)
		}
	}
	s.Dimensions = append(s.Dimensions, child.Field{Name: "a=b", Type: "float"})
	if got := extraOf(s, 8, nil); got != "all" {
		t.Errorf("%s, with a name that cannot be said", got)
	}
	s.Metadata = map[string]any{"dataformat_id": 3.0}
	if got := formatOf(s); got != 3 {
		t.Errorf("format 3 becomes %d", got)
	}
	s.Metadata = nil
	if got := formatOf(s); got != 7 {
		t.Errorf("with colours, and no LAS: format %d", got)
	}
}

// The options are good in any folder: a model file has its whole path, a built-in
// model its name, also where a file has that name.
func TestSegmentOptions(t *testing.T) {
	model, err := os.ReadFile("../../embed/models/aerial.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"mine", "aerial"} {
		if err := os.WriteFile(name, model, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mine, err := filepath.Abs("mine")
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{"mine": mine, "aerial": "aerial", "auto": "auto",
		"geometric": "geometric"} {
		s := &segmenter{options: map[string]string{"model": given, "first_id": "7"}, ids: new(idRange)}
		if err := s.check(); err != nil || s.options["model"] != want || s.ids.next != 7 {
			t.Errorf("model %s becomes %s, ids begin at %d: %v", given, s.options["model"], s.ids.next, err)
		}
	}
	if err := (&segmenter{options: map[string]string{"target_size": "0"}}).check(); err == nil {
		t.Error("a target_size of 0 is no error")
	}
}
