package command

import "superpoint/embed/whole"

// style is a style of QGIS (QML) for a layer, and what it shows.
type style struct{ qml, shows string }

// vectors is a vector file to write.
type vectors struct {
	host   Host
	to     *whole.Output
	ending string // of its name, in small letters
}

// layer is a layer of a vector file. Only a GeoPackage has several; in GeoJSON
// the features of all follow each other.
type layer struct {
	name     string
	geometry string // GDAL's name of its type
	style    style  // in a GeoPackage
	body     func(f *features) error
}
