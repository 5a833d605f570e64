// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// unusualFile is a file made to trouble readers.
type unusualFile struct {
	name   string
	points func(p *las.Points) // changes the house before it is written
	bytes  func(b []byte) []byte
	scale  float64
	fails  string // a word of the error with which it may be refused; "" if it must work
}

// unusualFiles are made like files that came from real surveys.
func unusualFiles() []unusualFile {
	return []unusualFile{
		{name: "header counts fewer points", bytes: func(b []byte) []byte { le.PutUint64(b[247:], 1000); return b }},
		{name: "header counts more points", bytes: func(b []byte) []byte { le.PutUint64(b[247:], 4000); return b },
			fails: "Invalid"},
		{name: "cut in the middle of a point", bytes: func(b []byte) []byte { return b[:len(b)-17] }, fails: "Invalid"},
		{name: "wrong bounds in the header", bytes: func(b []byte) []byte {
			for i := range 6 {
				le.PutUint64(b[179+8*i:], math.Float64bits(-1e30))
			}
			return b
		}},
		{name: "WKT bit not set", points: func(p *las.Points) { p.WKT = `LOCAL_CS["here",UNIT["metre",1]]` },
			bytes: func(b []byte) []byte { le.PutUint16(b[6:], 0); return b }},
		{name: "WKT that is none", points: func(p *las.Points) { p.WKT = "PROJCS[\"a\xff, UNIT[" }, fails: "override_srs"},
		{name: "extra bytes with a number as name", points: func(p *las.Points) { p.Extra = map[string][]float64{"1": p.Y} },
			fails: "invalid name"},
		{name: "extra bytes with strange names",
			points: func(p *las.Points) { p.Extra = map[string][]float64{"größe (m²)": p.Z, "a b/c": p.X} },
			fails:  "invalid name"},
		{name: "extra bytes that differ from ids in case only",
			points: func(p *las.Points) { p.Extra = map[string][]float64{"superpointid": p.Z, "Z_1": p.X} }},
		{name: "one point 2,000 km away", points: func(p *las.Points) { p.X[0], p.Y[0] = p.X[0]-2e6, p.Y[0]-2e6 },
			fails: "too small for a cloud"},
		{name: "coarse scale", scale: 0.25},
		{name: "feet", points: func(p *las.Points) {
			p.WKT = `PROJCS["NAD83 / Texas South Central (ftUS)",GEOGCS["NAD83",DATUM["D",SPHEROID["GRS 1980",6378137,` +
				`298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],` +
				`PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["standard_parallel_1",30.3],` +
				`PARAMETER["standard_parallel_2",28.4],PARAMETER["latitude_of_origin",27.8],PARAMETER["central_meridian",-99],` +
				`PARAMETER["false_easting",1968500],PARAMETER["false_northing",13123333.333],UNIT["US survey foot",` +
				`0.304800609601219]]`
			for i := range p.X {
				p.X[i], p.Y[i], p.Z[i] = p.X[i]*3.28083333, p.Y[i]*3.28083333, p.Z[i]*3.28083333
			}
		}},
		{name: "degrees", scale: 1e-9, points: func(p *las.Points) {
			p.WKT = `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],` +
				`UNIT["degree",0.0174532925199433]]`
			for i := range p.X {
				p.X[i], p.Y[i], p.Z[i] = 8.4+p.X[i]/72000, 49+p.Y[i]/111200, p.Z[i]/1000
			}
		}},
	}
}

// TestUnusualFiles runs every method and built-in model over every unusualFile:
// each point has an id, or PDAL ends with an error.
func TestUnusualFiles(t *testing.T) {
	t.Parallel()
	options := []stage{{"model": "auto"}, {"model": "geometric"}, {"method": "vccs"}, {"method": "lin"},
		{"method": "ssp-cluster"}, {"model": "aerial", "solver": "cut-pursuit"}}
	for k, o := range unusualFiles() {
		for i, option := range options {
			if full(0, 1) == 0 && i != k%len(options) {
				continue
			}
			t.Run(fmt.Sprint(o.name, " ", option), func(t *testing.T) {
				p := house(0, 0, 3)
				if o.points != nil {
					o.points(p)
				}
				folder := t.TempDir()
				in, out := filepath.Join(folder, "in.las"), filepath.Join(folder, "out.las")
				must.OK(t, las.WriteFile(in, p, o.scale))
				if o.bytes != nil {
					b, err := os.ReadFile(in)
					if err == nil {
						err = os.WriteFile(in, o.bytes(b), 0o666)
					}
					must.OK(t, err)
				}
				s := stage{"type": "filters.superpoint"}
				maps.Copy(s, option)
				w := writer(out)
				delete(w, "forward")
				w["extra_dims"] = "SuperpointID=uint32"
				got := pipeline(t, nil, in, s, w)
				if got.code != 0 {
					if o.fails == "" || got.code != 1 || !strings.Contains(got.stderr, o.fails) {
						t.Fatalf("exit code %d: %s", got.code, got.stderr)
					}
					t.Logf("refused: %s", strings.TrimSpace(got.stderr))
					return
				}
				q := read(t, out)
				count := ids(t, q, "SuperpointID")
				dense(t, count)
				t.Logf("%d points, %d superpoints", q.Len(), len(count))
				if len(count) < 3 || len(count) > q.Len()/3 {
					t.Errorf("%d superpoints of %d points", len(count), q.Len())
				}
			})
		}
	}
}
