package filter

// Reference says what the coordinates of a view mean. The zero value, a view
// without a spatial reference, is taken as metres with a warning.
type Reference struct {
	WKT            string  // well-known text 1 or 2 of the spatial reference; "" if there is none
	Geographic     bool    // X and Y are degrees; found in WKT if that names a geographic system
	HorizontalUnit float64 // metres per unit of X and Y; 0 = find in WKT
	VerticalUnit   float64 // metres per unit of Z; 0 = find in WKT
}
