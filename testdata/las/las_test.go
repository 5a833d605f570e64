package las

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func sample() *Points {
	return &Points{
		X: []float64{600000.125, 600001.5, 599990}, Y: []float64{5400000, 5400000.001, 5399000}, Z: []float64{-3, 0.25,
			812.004},
		Intensity: []uint16{0, 65535, 12}, ReturnNumber: []uint8{1, 2, 3}, NumberOfReturns: []uint8{1, 2, 5},
		Classification: []uint8{2, 6, 64}, ScanAngle: []float32{-18, 0, 21.6}, PointSourceID: []uint16{0, 7, 65535},
		GPSTime: []float64{0, 1.5, -2}, Red: []uint16{1, 2, 3}, Green: []uint16{4, 5, 6}, Blue: []uint16{65535, 8, 9},
		Extra: map[string][]float64{"SuperpointID": {1, 4294967295, 3}, "Embedding0": {0.5, -0.25, 1e-9}},
		WKT:   `LOCAL_CS["none",UNIT["metre",1]]`,
	}
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.las")
	want := sample()
	if err := WriteFile(path, want, 0.001); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.X {
		for k, d := range [3]float64{got.X[i] - want.X[i], got.Y[i] - want.Y[i], got.Z[i] - want.Z[i]} {
			if math.Abs(d) > 1e-6 {
				t.Errorf("point %d axis %d is off by %g", i, k, d)
			}
		}
		if math.Abs(float64(got.ScanAngle[i]-want.ScanAngle[i])) > 0.003 {
			t.Errorf("scan angle %d is %g, want %g", i, got.ScanAngle[i], want.ScanAngle[i])
		}
	}
	got.X, got.Y, got.Z, got.ScanAngle = want.X, want.Y, want.Z, want.ScanAngle
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestWriterStreamsTheSameBytes(t *testing.T) {
	dir, p := t.TempDir(), sample()
	if err := WriteFile(filepath.Join(dir, "whole"), p, 0); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "parts"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := NewWriter(f, LayoutOf(p, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.X {
		one := newPoints(1, 7, w.layout.Extras)
		one.X[0], one.Y[0], one.Z[0] = p.X[i], p.Y[i], p.Z[i]
		one.Intensity[0], one.ReturnNumber[0], one.NumberOfReturns[0] = p.Intensity[i], p.ReturnNumber[i],
			p.NumberOfReturns[i]
		one.Classification[0], one.ScanAngle[0], one.PointSourceID[0], one.GPSTime[0] = p.Classification[i], p.ScanAngle[i],
			p.PointSourceID[i], p.GPSTime[i]
		one.Red[0], one.Green[0], one.Blue[0] = p.Red[i], p.Green[i], p.Blue[i]
		for name, column := range p.Extra {
			one.Extra[name][0] = column[i]
		}
		if err := w.Write(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(filepath.Join(dir, "whole"))
	parts, _ := os.ReadFile(filepath.Join(dir, "parts"))
	if len(whole) == 0 || !bytes.Equal(whole, parts) {
		t.Errorf("whole file has %d bytes, written in parts %d, or they differ", len(whole), len(parts))
	}
}

// legacy builds a LAS 1.2 file of format 3 by hand, byte by byte.
func legacy() []byte {
	le := binary.LittleEndian
	b := make([]byte, 227+34)
	copy(b, "LASF")
	b[24], b[25] = 1, 2
	le.PutUint16(b[94:], 227)
	le.PutUint32(b[96:], 227)
	b[104] = 3
	le.PutUint16(b[105:], 34)
	le.PutUint32(b[107:], 1)
	for i := range 3 {
		le.PutUint64(b[131+8*i:], math.Float64bits(0.01))
	}
	le.PutUint64(b[155:], math.Float64bits(1000))
	p := b[227:]
	le.PutUint32(p, 250)
	le.PutUint32(p[4:], uint32(0xFFFFFF9C)) // -100
	le.PutUint16(p[12:], 77)
	p[14] = 2 | 3<<3 | 1<<6
	p[15] = 6 | 1<<5        // class 6, synthetic flag
	p[16] = 0xF6            // -10 degrees
	le.PutUint16(p[18:], 9) // point source
	le.PutUint64(p[20:], math.Float64bits(12.5))
	le.PutUint16(p[28:], 100)
	return b
}

func TestReadsLegacyFormat(t *testing.T) {
	b := legacy()
	r, err := NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Read(10)
	if err != nil {
		t.Fatal(err)
	}
	if p.X[0] != 1002.5 || p.Y[0] != -1 || p.Intensity[0] != 77 || p.ReturnNumber[0] != 2 || p.NumberOfReturns[0] != 3 ||
		p.Classification[0] != 6 || p.ScanAngle[0] != -10 || p.PointSourceID[0] != 9 || p.GPSTime[0] != 12.5 ||
		p.Red[0] != 100 {
		t.Errorf("got %+v", p)
	}
	if _, err := r.Read(1); err != io.EOF {
		t.Errorf("after the last point: %v, want io.EOF", err)
	}
}

func TestRefusals(t *testing.T) {
	change := func(f func(b []byte) []byte) []byte { return f(legacy()) }
	for want, b := range map[string][]byte{
		"not a LAS file":   []byte("PLY"),
		"compressed LAZ":   change(func(b []byte) []byte { b[104] |= 0x80; return b }),
		"version 1.1":      change(func(b []byte) []byte { b[25] = 1; return b }),
		"point format 9":   change(func(b []byte) []byte { b[104] = 9; return b }),
		"cut short":        change(func(b []byte) []byte { return b[:250] }),
		"scale 0":          change(func(b []byte) []byte { clear(b[131:139]); return b }),
		"do not fit":       change(func(b []byte) []byte { b[99] = 1; return b }),
		"runs into":        change(func(b []byte) []byte { b[100] = 1; return b }),
		"format 3 needs 3": change(func(b []byte) []byte { b[105] = 20; return b }),
	} {
		_, err := NewReader(bytes.NewReader(b), int64(len(b)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	p := sample()
	p.Y[1] = math.NaN()
	if err := WriteFile(filepath.Join(t.TempDir(), "x.las"), p, 0); err == nil ||
		!strings.Contains(err.Error(), "point 1") {
		t.Errorf("NaN was written: %v", err)
	}
}

func TestEmptyCloud(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.las")
	if err := WriteFile(path, &Points{}, 0); err != nil {
		t.Fatal(err)
	}
	if p, err := ReadFile(path); err != nil || p.Len() != 0 {
		t.Errorf("got %v points, %v", p, err)
	}
}

func FuzzReader(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.las")
	if err := WriteFile(path, sample(), 0); err != nil {
		f.Fatal(err)
	}
	whole, _ := os.ReadFile(path)
	f.Add(whole)
	f.Add(legacy())
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		p, err := r.Read(r.Count)
		if err != nil || p.Len() != r.Count {
			t.Fatalf("accepted header of %d points, then %v", r.Count, err)
		}
	})
}
