package train

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unread is a host that fails the test when a file is read.
type unread struct{ t *testing.T }

func (u unread) Read(path string, _ []string) (*Columns, error) {
	u.t.Errorf("%s was read", path)
	return &Columns{}, nil
}
func (u unread) Log(string)               {}
func (u unread) Progress(string, float64) {}
func (u unread) Stdout() io.Writer        { return io.Discard }
func (u unread) Context() context.Context { return context.Background() }

// TestTrainingKeepsItsInputs names each file that training writes as each that it
// reads, by the same path and by links.
func TestTrainingKeepsItsInputs(t *testing.T) {
	for _, suffix := range []string{"", checkpointSuffix, curveSuffix, tableSuffix} {
		for _, input := range []string{"input", "val", "recipe", "base"} {
			for kind, link := range map[string]func(string, string) error{"same path": nil, "symbolic link": os.Symlink,
				"hard link": os.Link} {
				folder := t.TempDir()
				output := filepath.Join(folder, "room")
				args := []string{"--output", output}
				for name, text := range map[string]string{"input": "points", "val": "points", "recipe": "name: model",
					"base": "model"} {
					path := filepath.Join(folder, name)
					if name == input && link == nil {
						path = output + suffix
					}
					if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
					if name == input && link != nil {
						if err := link(path, output+suffix); err != nil {
							t.Fatal(err)
						}
					}
					args = append(args, "--"+name, path)
				}
				before, err := os.ReadFile(output + suffix)
				if err != nil {
					t.Fatal(err)
				}
				err = Command(unread{t}, args)
				if err == nil || !strings.Contains(err.Error(), "name another output") ||
					!strings.Contains(err.Error(), output+suffix) {
					t.Errorf("--%s as %s, %s: %v", input, output+suffix, kind, err)
				}
				if after, _ := os.ReadFile(output + suffix); string(after) != string(before) {
					t.Errorf("--%s as %s, %s: %q has become %q", input, output+suffix, kind, before, after)
				}
			}
		}
	}
}
