// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"superpoint/testdata/must"
)

func sample() *Points {
	return &Points{
		X: []float64{600000.125, 600001.5, 599990}, Y: []float64{5400000, 5400000.001, 5399000},
		Z: []float64{-3, 0.25,
			812.004},
		Intensity: []uint16{0, 65535, 12}, ReturnNumber: []uint8{1, 2, 3}, NumberOfReturns: []uint8{1, 2, 5},
		Classification: []uint8{2, 6, 64}, ScanAngle: []float32{-18, 0, 21.6},
		PointSourceID: []uint16{0, 7, 65535},
		GPSTime:       []float64{0, 1.5, -2}, Red: []uint16{1, 2, 3}, Green: []uint16{4, 5, 6},
		Blue:  []uint16{65535, 8, 9},
		Extra: map[string][]float64{"SuperpointID": {1, 4294967295, 3}, "Embedding0": {0.5, -0.25, 1e-9}},
		WKT:   `LOCAL_CS["none",UNIT["metre",1]]`,
	}
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.las")
	want := sample()
	must.OK(t, WriteFile(path, want, 0.001))
	got := must.Get(ReadFile(path))(t)
	for i := range want.X {
		for k, d := range [3]float64{got.X[i] - want.X[i], got.Y[i] - want.Y[i], got.Z[i] - want.Z[i]} {
			must.Hold(t, math.Abs(d) <= 1e-6, "point %d axis %d is off by %g", i, k, d)
		}
		must.Hold(t, math.Abs(float64(got.ScanAngle[i]-want.ScanAngle[i])) <= 0.003,
			"scan angle %d is %g, want %g", i, got.ScanAngle[i], want.ScanAngle[i])
	}
	got.X, got.Y, got.Z, got.ScanAngle = want.X, want.Y, want.Z, want.ScanAngle
	must.Hold(t, reflect.DeepEqual(got, want), "got %+v\nwant %+v", got, want)
}

// TestEveryBit: a file that is read and written is equal, with records behind the points.
func TestEveryBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.las")
	must.OK(t, WriteFile(path, sample(), 0))
	f := must.Get(Read(path))(t)
	f.Variable = append(f.Variable, Variable{User: "somebody", ID: 7, Data: []byte("behind"), Extended: true})
	must.OK(t, f.Write(path))
	again, err := Read(path)
	f.Header, again.Header = nil, nil // the place of the extended record is new
	must.OK(t, err)
	must.Equal(t, f, again, "f")
}

// legacy builds a LAS 1.2 file of format 3 by hand, byte by byte.
func legacy() []byte {
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
	path := filepath.Join(t.TempDir(), "old.las")
	must.OK(t, os.WriteFile(path, legacy(), 0o666))
	p := must.Get(ReadFile(path))(t)
	must.Equal(t, p.X[0], 1002.5, "p.X[0]")
	must.Equal(t, p.Y[0], -1, "p.Y[0]")
	must.Equal(t, p.Intensity[0], 77, "p.Intensity[0]")
	must.Equal(t, p.ReturnNumber[0], 2, "p.ReturnNumber[0]")
	must.Equal(t, p.NumberOfReturns[0], 3, "p.NumberOfReturns[0]")
	must.Equal(t, p.Classification[0], 6, "p.Classification[0]")
	must.Equal(t, p.ScanAngle[0], -10, "p.ScanAngle[0]")
	must.Equal(t, p.PointSourceID[0], 9, "p.PointSourceID[0]")
	must.Equal(t, p.GPSTime[0], 12.5, "p.GPSTime[0]")
	must.Equal(t, p.Red[0], 100, "p.Red[0]")
}

func TestRefusals(t *testing.T) {
	change := func(f func(b []byte) []byte) []byte { return f(legacy()) }
	for want, b := range map[string][]byte{
		"no LAS file":       []byte("PLY"),
		"compressed LAZ":    change(func(b []byte) []byte { b[104] |= 0x80; return b }),
		"point format 11":   change(func(b []byte) []byte { b[104] = 11; return b }),
		"do not fit":        change(func(b []byte) []byte { return b[:250] }),
		"a variable length": change(func(b []byte) []byte { b[100] = 1; return b }),
		"described are 34":  change(func(b []byte) []byte { b[105] = 20; return b }),
	} {
		must.Fail(parse(b))(t, want)
	}
	p := sample()
	p.Y[1] = math.NaN()
	must.Fail(WriteFile(filepath.Join(t.TempDir(), "x.las"), p, 0))(t, "point 1")
}

func TestEmptyCloud(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.las")
	must.OK(t, WriteFile(path, &Points{}, 0))
	p, err := ReadFile(path)
	must.OK(t, err)
	must.Equal(t, p.Len(), 0, "p.Len()")
}
