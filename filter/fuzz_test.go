package filter

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"superpoint/filter/georef"
	"superpoint/partition/parallel"
	"superpoint/testdata/must"
)

// FuzzSegment segments clouds of any numbers: ids are dense, or there is an
// error.
func FuzzSegment(f *testing.F) {
	bytes := func(values ...float64) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	f.Add(uint8(0), "", bytes(0, 0, 0, 1, 1, 1, 2, 2, 2))
	f.Add(uint8(1), "", bytes(1e9, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0))
	f.Add(uint8(2), "GEOGCS[]", bytes(math.NaN(), 0, math.Inf(1)))
	f.Add(uint8(3), `GEOGCS["a",UNIT["degree",0.017]]`, bytes(5e-324, math.Copysign(0, -1), math.MaxFloat64, 1, 2, 3))
	f.Add(uint8(4), `PROJCS["a",UNIT["km",1000]]`, bytes(4e5, 5e6, 100, 4e5+1, 5e6, 100, 4e5, 5e6+1, 101))
	methods := []string{`{"model":"geometric"}`, `{"model":"geometric","solver":"cut-pursuit","target_size":4,` +
		`"color":true}`, `{"method":"vccs"}`, `{"method":"lin"}`,
		`{"method":"ssp-cluster","model":"geometric"}`, `{"model":"geometric","solver":"cut-pursuit","delaunay":true}`}
	f.Fuzz(func(t *testing.T, method uint8, wkt string, data []byte) {
		v := &View{Reference: georef.Reference{WKT: wkt}}
		for ; len(data) >= 24 && v.Len() < 500; data = data[24:] {
			number := func(k int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(data[8*k:])) }
			v.X, v.Y, v.Z = append(v.X, number(0)), append(v.Y, number(1)), append(v.Z, number(2))
		}
		o := must.Get(parseOptions([]byte(methods[int(method)%len(methods)])))(t)
		filter := must.Get(New(o, nil))(t)
		s, err := filter.Segment(Run{}, v)
		if err != nil {
			if broken := new(parallel.PanicError); errors.As(err, &broken) {
				t.Errorf("%v\n%s", err, broken.Stack)
			}
			return
		}
		checkIDs(t, v, s)
	})
}
