package main

// settings are what the command line says.
type settings struct {
	pdal    string // launcher
	folder  string // for tiles and programs
	results string // CSV file; "" = none
	sizes   []int  // points of simulated tiles
	rivals  int    // PDAL's filters are measured on tiles of at most this many points
	repeat  int    // runs of each, on tiles of at most small points; the fastest counts
}

// small is the number of points up to which runs are repeated.
const small = 2_000_000

// large is the number of points up to which VCCS is measured; PDAL's filters,
// which are slower, only up to settings.rivals.
const large = 10_000_000
