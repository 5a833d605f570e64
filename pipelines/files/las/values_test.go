// SPDX-License-Identifier: BSD-3-Clause

package las_test

import (
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"superpoint/pipelines/files/las"
	other "superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestColumns: values of each type, classes of old and new point formats and coordinates are those that
// another reader has. A dimension that is missing or scaled is nil.
func TestColumns(t *testing.T) {
	const missing, scaled = "Missing", "Scaled"
	for _, format := range []int{0, 6} {
		f := &other.File{Minor: 4, Format: format, Scale: [3]float64{0.001, 0.002, 0.01},
			Offset: [3]float64{500000, -7, 0.3}}
		names := []string{"Classification", "UserData", missing, scaled}
		for kind, name := range other.Kinds {
			f.Extras = append(f.Extras, other.Extra{Name: name, Kind: kind, Scale: 1})
			names = append(names, name)
		}
		f.Extras = append(f.Extras, other.Extra{Name: scaled, Kind: other.Uint16, Scale: 0.5})
		r := rand.New(rand.NewPCG(1, uint64(format)))
		for range 100 {
			record := make([]byte, f.LayOut())
			for i := range record {
				record[i] = byte(r.UintN(128)) // without NaN
			}
			f.Records = append(f.Records, record)
		}
		path := filepath.Join(t.TempDir(), "values.las")
		must.OK(t, f.Write(path))
		l := must.Get(las.Read(path))(t)
		at, values, err := l.Columns(names)
		must.OK(t, err)
		for k, name := range names {
			if name == missing || name == scaled {
				must.Hold(t, values[k] == nil, "format %d: dimension %s has values", format, name)
				continue
			}
			for i, record := range f.Records {
				want := float64(record[17])
				switch x := f.Extra(name); {
				case x != nil:
					want = x.Value(record)
				case name == "Classification":
					want = float64(f.Class(record))
				}
				got := values[k][i]
				must.Need(t, got == want, "format %d: %s of point %d is %v, want %v", format, name,
					i, got, want)
			}
		}
		for i, record := range f.Records {
			for axis := range 3 {
				step := int32(binary.LittleEndian.Uint32(record[4*axis:]))
				want := float64(step)*f.Scale[axis] + f.Offset[axis]
				got := at[axis][i]
				must.Need(t, got == want, "axis %d of point %d is %v, want %v", axis, i, got, want)
			}
		}
	}
}
