package dropped

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWarning(t *testing.T) {
	const las, copc = "writers.las keeps only", "writers.copc keeps only"
	bare := `["in.laz", {"type": "filters.superpoint"}, "out.laz"]`
	for _, test := range []struct{ command, pipeline, want string }{
		{"translate in.laz out.laz superpoint", "", las},
		{"translate in.laz out.copc.laz filters.superpoint", "", copc},
		{"translate -i in.laz -o out.LAS -f superpoint", "", las},
		{"translate --nostream in.laz out.laz sort superpoint --filters.superpoint.color=true -v 3", "", las},
		{"translate in.laz out.laz superpoint --writers.las.minor_version=4 --writers.las.forward all", "", las},
		{"translate in.laz out.dat superpoint -w writers.las", "", las},
		{"translate in.laz out.laz superpoint --writers.las.extra_dims=Other=double", "", las},
		{"translate in.laz out.laz superpoint --writers.las.extra_dims=all", "", ""},
		{"translate in.laz out.laz superpoint --writers.las.extra_dims all", "", ""},
		{"translate in.laz out.laz superpoint --writers.las.extra_dims=Other=double,SuperpointID=uint32", "", ""},
		{"translate in.laz out.laz superpoint range", "", ""}, // taken up
		{"translate in.laz out.ply superpoint", "", ""},
		{"translate in.laz out.laz sort", "", ""},
		{"translate in.laz out.laz --json x.json superpoint", "", ""},
		{"info in.laz", "", ""},
		{"superpoint segment in.laz out.laz", "", ""},
		{"pipeline FILE", bare, las},
		{"pipeline --input FILE", `{"pipeline": ` + bare + `}`, las},
		{"pipeline FILE --writers.las.extra_dims=all", bare, ""},
		{"pipeline FILE --stage.out.extra_dims=all", bare, ""},
		{"pipeline --stdin", "", ""},
		{"pipeline FILE", "no json", ""},
		{"pipeline FILE", `["in.laz", {"type": "filters.superpoint"}, {"type": "writers.copc", "filename": "x.copc.laz"}]`,
			copc},
		{"pipeline FILE", `["in.laz", {"type": "filters.superpoint"}, {"type": "writers.las", "filename": "x", ` +
			`"extra_dims": "all"}]`, ""},
		{"pipeline FILE", `["in.laz", {"type": "filters.superpoint"}, {"type": "filters.ferry"}, "out.laz"]`, ""},
		{"pipeline FILE", `["in.laz", {"type": "filters.superpoint"}, {"type": "writers.text", "filename": "x.csv"}]`, ""},
	} {
		file := filepath.Join(t.TempDir(), "pipeline.json")
		if err := os.WriteFile(file, []byte(test.pipeline), 0o666); err != nil {
			t.Fatal(err)
		}
		command := strings.Fields("/usr/bin/pdal " + strings.ReplaceAll(test.command, "FILE", file))
		got := Warning(command, []string{"SuperpointID", "Embedding0"})
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %q, not %q", test.command, test.pipeline, got, test.want)
		}
	}
	if got := Warning([]string{"python3", "translate", "in.laz", "out.laz", "superpoint"},
		[]string{"SuperpointID"}); got != "" {
		t.Errorf("not pdal: %q", got)
	}
	if len(CommandLine()) == 0 {
		t.Error("this process has no command line")
	}
}
