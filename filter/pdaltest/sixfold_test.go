// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/layouts"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// other stands for the classes of the scanner that a data set has no class for.
const other = 255

// converted compares the only cloud in a folder with the scan that it was made of, point by point: colours, classes,
// and objects, which are numbered anew. S3DIS has points by object, vKITTI3D in their order.
func converted(t *testing.T, folder string, p *las.Points, codes map[uint8]uint8) {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(folder, "*.las")))(t)
	if len(files) != 1 {
		t.Fatalf("%s has %q", folder, files)
	}
	c := read(t, files[0])
	if c.Len() != p.Len() {
		t.Fatalf("%s: %d points of %d", files[0], c.Len(), p.Len())
	}
	key := func(p *las.Points, i int, green uint16) string {
		text := fmt.Sprintf("%.3f %.3f %.3f %d", p.X[i], p.Y[i], p.Z[i], green)
		return strings.ReplaceAll(text, "-0.000", "0.000")
	}
	at, objects := map[string]int{}, map[uint16]uint16{}
	for i := range p.Len() {
		at[key(p, i, p.Green[i]>>8)] = i
	}
	for i := range c.Len() {
		from, known := at[key(c, i, c.Green[i])]
		if c.PointSourceID[0] == 0 {
			from, known = i, true
		}
		want, listed := codes[p.Classification[from]]
		if !listed {
			want = codes[other]
		}
		object, numbered := objects[c.PointSourceID[i]]
		objects[c.PointSourceID[i]] = p.PointSourceID[from]
		if !known || c.Classification[i] != want || c.Green[i] != p.Green[from]>>8 ||
			c.PointSourceID[i] > 0 && numbered && object != p.PointSourceID[from] {
			t.Fatalf("%s: point %d has class %d, green %d and object %d; want %d, %d and one of %d", files[0], i,
				c.Classification[i], c.Green[i], c.PointSourceID[i], want, p.Green[from]>>8, p.PointSourceID[from])
		}
	}
	if c.PointSourceID[0] > 0 && len(objects) < 5 {
		t.Errorf("%s: %d objects", files[0], len(objects))
	}
}

// TestConvertNamesTheLine: a stray sign in a file of S3DIS, and an array that is none, are named.
func TestConvertNamesTheLine(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3, which convert.py needs")
	}
	folder := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(folder, name)
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.OK(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	put("stray/Annotations/wall_1.txt", "1 2 3 4 5 6\n1 2 3 4 5\x10 6\n")
	put("short/Annotations/wall_1.txt", "1 2 3\n")
	header := "\x93NUMPY\x01\x00\x40\x00{'descr': '%s', 'fortran_order': False, 'shape': (%s), }"
	for path, want := range map[string]string{
		filepath.Join(folder, "stray", "stray.txt"):            "line 2",
		filepath.Join(folder, "short", "short.txt"):            "line 1",
		filepath.Join(folder, "none", "none.txt"):              "no objects",
		put("text.npy", "hello, this is no array"):             "no array of rows",
		put("swapped.npy", fmt.Sprintf(header, ">f4", "1, 7")): "no array of rows",
		put("cut.npy", fmt.Sprintf(header, "<f4", "9, 7")):     "no array of rows",
	} {
		o := in(t, folder, file(t, "evidence/convert.py"), launcher(t), path, "out.las")
		if o.code == 0 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: exit code %d, %s", path, o.code, o.stderr)
		}
	}
}

// TestSixFold runs the script for those who have S3DIS or vKITTI3D on two parts of a
// folder of the same form that the scanner writes, with a recipe of two steps.
func TestSixFold(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3, which convert.py needs")
	}
	for _, c := range []struct {
		kind, parts, scene, mode string
		file                     string // below a part
		write                    func(path string, p *las.Points) error
		codes                    map[uint8]uint8 // of the data set, by those of the scanner
	}{
		{"s3dis", "Area_1 Area_2", "room", scan.Terrestrial, "office_1/office_1.txt", layouts.WriteS3DIS,
			map[uint8]uint8{20: 1, 21: 2, 22: 3, 25: 6, 26: 7, 27: 8, 28: 9, 29: 11, 30: 10, 31: 12, other: 13}},
		{"vkitti", "01 02", "street", scan.Spinning, "0001_00000.npy", layouts.WriteVKITTI,
			map[uint8]uint8{2: 1, 5: 2, 3: 3, 4: 3, 6: 4, 128: 9, 64: 12, 7: 0, 18: 0, other: 10}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			folder, out := t.TempDir(), t.TempDir()
			scans := map[string]*las.Points{}
			for i, part := range strings.Fields(c.parts) {
				s := must.Get(scenes.New(c.scene, scenes.Options{Seed: uint64(i + 1)}))(t)
				p := must.Get(scan.Cloud(parallel.Run{}, s,
					scan.Options{Mode: c.mode, Points: 6000, Seed: uint64(i + 1), Noise: 1, Rain: 1, Color: true}))(t)
				file := filepath.Join(folder, part, c.file)
				must.OK(t, os.MkdirAll(filepath.Dir(file), 0o755))
				must.OK(t, c.write(file, p))
				scans[part] = p
			}
			text := must.Get(os.ReadFile(filepath.Join("..", "..", "embed", "train", "recipes", c.kind+".yaml")))(t)
			recipe := filepath.Join(out, "short.yaml")
			for _, line := range []string{"batch: {clouds: 2, points: 800}",
				"optimise: {epochs: 1, steps: 2, rate: 0.01, decay: 0.7, decay_at: [], clip: 1, norm_share: 0.5, average: 0}"} {
				key, _, _ := strings.Cut(line, ":")
				lines := strings.Split(string(text), "\n")
				for i := range lines {
					if strings.HasPrefix(lines[i], key+":") {
						lines[i] = line
					}
				}
				text = []byte(strings.Join(lines, "\n"))
			}
			must.OK(t, os.WriteFile(recipe, text, 0o644))
			t.Setenv("PARTS", c.parts)
			t.Setenv("RECIPE", recipe)
			t.Setenv("LOSSES", "cross-partition")
			t.Setenv("TARGETS", "50")
			script := filepath.Join("..", "..", "pipelines", "evidence", "six-fold.sh")
			script = must.Get(filepath.Abs(script))(t)
			done := in(t, out, script, c.kind, folder, filepath.Join(out, "results"))
			done.ok(t)
			for part, p := range scans {
				converted(t, filepath.Join(out, "results", "clouds", part), p, c.codes)
			}
			for _, system := range []string{"ssp:" + c.kind + "-cross-partition", "geom-graph", "vccs", "lin"} {
				if !strings.Contains(done.stdout, "| 50 | "+system+" | ") {
					t.Errorf("no row of %s in\n%s", system, done.stdout)
				}
			}
		})
	}
}
