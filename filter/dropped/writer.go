package dropped

import "strings"

// writer is where the results go.
type writer struct {
	driver, file string
	extra        string // its option extra_dims; "" = not given
}

// keeps tells whether a dimension is written.
func (w *writer) keeps(dimension string) bool {
	for part := range strings.SplitSeq(w.extra, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name == "all" || strings.EqualFold(name, dimension) {
			return true
		}
	}
	return false
}

// driverOf returns the driver that pdal takes for a file name, if it is one of
// those that drop dimensions.
func driverOf(name string) string {
	switch name = strings.ToLower(name); {
	case strings.HasSuffix(name, ".copc.laz"):
		return "writers.copc"
	case strings.HasSuffix(name, ".las"), strings.HasSuffix(name, ".laz"):
		return "writers.las"
	}
	return ""
}
