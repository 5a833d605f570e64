package georef

import "testing"

// FuzzWKT parses spatial references and everything that is read from them.
func FuzzWKT(f *testing.F) {
	f.Add(`COMPD_CS["a",PROJCS["b",UNIT["US survey foot",0.30480060960121924]],VERT_CS["c",UNIT["metre",1]]]`)
	f.Add(`GEOGCRS["WGS 84",DATUM["d",ELLIPSOID["e",6378137,298.2572236]],CS[ellipsoidal,2],AXIS["lat",north],` +
		`UNIT["degree",0.0174532925]]`)
	f.Add(`GEODCRS["x",CS[Cartesian,3],LENGTHUNIT["m","1"]]`)
	f.Add(`BOUNDCRS[SOURCECRS[PROJCRS["x""y",UNIT("m",1)]]]`)
	f.Fuzz(func(t *testing.T, text string) {
		u, err := Reference{WKT: text}.units()
		if err == nil && !(u.horizontal > 0 && u.vertical > 0 && u.horizontal < 1e10 && u.vertical < 1e10) {
			t.Errorf("units %+v", u)
		}
		if _, err := (Reference{WKT: text}).Describe(); err != nil && u.horizontal > 0 && u.warning == "" &&
			u.vertical > 1e-9 && u.horizontal > 1e-9 && u.vertical < 1e9 && u.horizontal < 1e9 {
			t.Error(err)
		}
	})
}
