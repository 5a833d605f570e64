package georef

// Code returns authority and code of the horizontal reference system, for
// example "EPSG" and "32632"; "" where it states none.
func (r Reference) Code() (authority, code string) {
	root, err := parseWKT(r.WKT)
	if r.WKT == "" || err != nil {
		return "", ""
	}
	for root.holdsOthers() {
		inner := root.child("PROJCS", "PROJCRS", "PROJECTEDCRS", "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS",
			"GEODETICCRS", "COMPOUNDCRS", "SOURCECRS")
		if inner == nil {
			break
		}
		root = inner
	}
	id := root.child("AUTHORITY", "ID")
	if id == nil || len(id.list) < 2 {
		return "", ""
	}
	return id.list[0].word, id.list[1].word
}
