package benchmarks

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/filter/host"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/layouts"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// nothing is a host that reads no file.
type nothing struct{ host.Host }

func (nothing) Read(path string, _ []string) (*host.Columns, error) {
	return nil, fmt.Errorf("%s is left to the host", path)
}

func simulated(t *testing.T, scene, mode string) *las.Points {
	t.Helper()
	s := must.Get(scenes.New(scene, scenes.Options{Seed: 3}))(t)
	p := must.Get(scan.Cloud(parallel.Run{}, s,
		scan.Options{Mode: mode, Points: 4000, Seed: 3, Noise: 1, Rain: 1, Color: true}))(t)
	return p
}

// TestRoomOfS3DIS: what the scanner writes in the layout of S3DIS is read again,
// object by object, whichever of three names the room is given by.
func TestRoomOfS3DIS(t *testing.T) {
	p := simulated(t, "room", scan.Terrestrial)
	room := filepath.Join(t.TempDir(), "Area_1", "office_[1]") // signs of a pattern stand for themselves
	must.OK(t, os.MkdirAll(room, 0o755))
	file := filepath.Join(room, "office_[1].txt")
	must.OK(t, layouts.WriteS3DIS(file, p))
	c := must.Get(Reader{nothing{}}.Read(file, nil))(t)
	for _, path := range []string{room, filepath.Join(room, "Annotations")} {
		again, err := Reader{nothing{}}.Read(path, nil)
		if err != nil || !slices.Equal(again.X, c.X) {
			t.Errorf("%s: other points, %v", path, err)
		}
	}
	if len(c.X) != p.Len() || !slices.Contains(c.Available, numbered) {
		t.Fatalf("%d of %d points, dimensions %v", len(c.X), p.Len(), c.Available)
	}
	codes := map[uint8]float64{20: 1, 21: 2, 22: 3, 25: 6, 26: 7, 27: 8, 28: 9, 29: 11, 30: 10, 31: 12}
	known := map[string]int{}
	key := func(x, y, z float64) string { return fmt.Sprintf("%.3f %.3f %.3f", x, y, z) }
	for i := range p.X {
		known[key(p.X[i], p.Y[i], p.Z[i])] = i
	}
	objects, numbers := map[uint16]bool{}, map[float64]uint16{}
	for i := range c.X {
		from, ok := known[key(c.X[i], c.Y[i], c.Z[i])]
		if !ok {
			t.Fatalf("point %d is none of the scan", i)
		}
		want, ok := codes[p.Classification[from]]
		if !ok {
			want = 13
		}
		if got := c.Dimensions["Classification"][i]; got != want {
			t.Fatalf("class %g of a point of %d, want %g", got, p.Classification[from], want)
		}
		if got := c.Dimensions["Green"][i]; got != float64(p.Green[from]>>8) {
			t.Fatalf("green %g, want %d", got, p.Green[from]>>8)
		}
		object, number := p.PointSourceID[from], c.Dimensions[numbered][i]
		if was, ok := numbers[number]; ok && was != object || number < 1 {
			t.Fatalf("object %g is %d and %d", number, was, object)
		}
		objects[object], numbers[number] = true, object
	}
	if len(objects) < 5 || len(numbers) < len(objects) {
		t.Errorf("%d objects of %d", len(numbers), len(objects))
	}
}

// TestArrayOfVKITTI: the same for arrays of numpy.
func TestArrayOfVKITTI(t *testing.T) {
	p := simulated(t, "street", scan.Spinning)
	file := filepath.Join(t.TempDir(), "0001_00000.npy")
	must.OK(t, layouts.WriteVKITTI(file, p))
	c := must.Get(Reader{nothing{}}.Read(file, nil))(t)
	codes := map[uint8]float64{2: 1, 5: 2, 3: 3, 4: 3, 6: 4, 128: 9, 64: 12, 7: 0, 18: 0}
	seen := map[float64]bool{}
	for i := range p.X {
		want, ok := codes[p.Classification[i]]
		if !ok {
			want = 10
		}
		if got := c.Dimensions["Classification"][i]; got != want || c.X[i] != float64(float32(p.X[i])) ||
			c.Dimensions["Blue"][i] != float64(p.Blue[i]>>8) {
			t.Fatalf("point %d is of class %g, want %g", i, got, want)
		}
		seen[want] = true
	}
	if len(seen) < 4 || len(c.X) != p.Len() {
		t.Errorf("%d classes, %d of %d points", len(seen), len(c.X), p.Len())
	}
}

// TestKindsOfNumbers: arrays of every type that numpy is likely to have written.
func TestKindsOfNumbers(t *testing.T) {
	row := []float64{1, 2, 3, 40, 50, 60, 5}
	for kind, value := range map[string]func(v float64) any{
		"<f4": func(v float64) any { return float32(v) }, "<f8": func(v float64) any { return v },
		"|u1": func(v float64) any { return uint8(v) }, "|i1": func(v float64) any { return int8(v) },
		"<u2": func(v float64) any { return uint16(v) }, "<i2": func(v float64) any { return int16(v) },
		"<u4": func(v float64) any { return uint32(v) }, "<i4": func(v float64) any { return int32(v) },
		"<u8": func(v float64) any { return uint64(v) }, "<i8": func(v float64) any { return int64(v) },
	} {
		a, err := readArray(npy(t, "{'descr': '"+kind+"', 'fortran_order': False, 'shape': (1, 7), }", value, row))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		for k, want := range row {
			if got := a.at(0, k); got != want {
				t.Errorf("%s: %g, want %g", kind, got, want)
			}
		}
	}
}

func npy(t testing.TB, header string, value func(v float64) any, row []float64) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(npyMagic + "\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	b.WriteString(header)
	for _, v := range row {
		must.OK(t, binary.Write(&b, binary.LittleEndian, value(v)))
	}
	return b.Bytes()
}

// TestBadFiles: errors name the file, the line and what to do.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.OK(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	put("stray/Annotations/wall_1.txt", "1 2 3 4 5 6\n1 2 3 4 5\x10 6\n")
	put("short/Annotations/wall_1.txt", "1 2 3\n")
	must.OK(t, os.MkdirAll(filepath.Join(dir, "empty", "Annotations"), 0o755))
	f4 := func(v float64) any { return float32(v) }
	for path, want := range map[string]string{
		filepath.Join(dir, "stray"):                "line 2",
		filepath.Join(dir, "short"):                "3 numbers, want x y z r g b",
		filepath.Join(dir, "empty"):                "no objects",
		put("text.npy", "hello, this is no array"): "no file of numpy",
		put("swapped.npy", string(npy(t, "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 7), }", f4,
			nil))): "little-endian",
		put("few.npy", string(npy(t, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }", f4,
			[]float64{1, 2, 3}))): "3 columns",
		put("cut.npy", string(npy(t, "{'descr': '<f4', 'fortran_order': False, 'shape': (9, 7), }", f4,
			[]float64{1, 2, 3}))): "9 × 7 numbers",
		put("plain.txt", "1 2 3\n"): "left to the host",
		put("a.laz", ""):            "left to the host",
	} {
		must.Fail((Reader{nothing{}}).Read(path, nil))(t, want)
	}
}

// FuzzArray: no file makes the reader of arrays fail but with an error.
func FuzzArray(f *testing.F) {
	f4 := func(v float64) any { return float32(v) }
	f.Add(npy(f, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 7), }", f4, make([]float64, 7)))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := readArray(text)
		if err != nil || a.rows == 0 {
			return
		}
		if v := a.at(a.rows-1, a.columns-1); math.IsInf(v, 0) && a.kind[0] != 'f' {
			t.Error("a whole number that is not finite")
		}
	})
}
