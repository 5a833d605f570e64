package filter

import (
	"math"

	"superpoint/partition/neighbor"
)

// Scale returns a function that tells the metres in a unit of X, of Y and of Z
// at a given Y. It depends on Y only for angles: there it holds near the place.
func (r Reference) Scale(log Log) (func(y float64) [3]float64, error) {
	u, err := r.units()
	if err != nil {
		return nil, err
	}
	if u.warning != "" && log != nil {
		log(LogWarning, u.warning)
	}
	if !u.geographic {
		return func(float64) [3]float64 { return [3]float64{u.horizontal, u.horizontal, u.vertical} }, nil
	}
	return func(y float64) [3]float64 {
		sin, cos := math.Sincos(y * u.horizontal)
		squared := u.flattening * (2 - u.flattening) // first eccentricity, squared
		w := 1 - squared*sin*sin
		east, north := u.major/math.Sqrt(w), u.major*(1-squared)/(w*math.Sqrt(w)) // radii of curvature
		return [3]float64{u.horizontal * east * cos, u.horizontal * north, u.vertical}
	}, nil
}

// Code returns authority and code of the horizontal reference system, for
// example "EPSG" and "32632"; "" where it states none.
func (r Reference) Code() (authority, code string) {
	root, err := parseWKT(r.WKT)
	if r.WKT == "" || err != nil {
		return "", ""
	}
	for root.word == "COMPD_CS" || root.word == "COMPOUNDCRS" || root.word == "BOUNDCRS" || root.word == "SOURCECRS" {
		inner := root.child("PROJCS", "PROJCRS", "PROJECTEDCRS", "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS", "COMPOUNDCRS", "SOURCECRS")
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

// NearestGraph returns the graph that joins every point with its k nearest
// neighbours (as many as the workspace has found), and the cloud in whose order
// its vertices are.
func (w *Workspace) NearestGraph(run Run, k int) (*neighbor.Graph, *neighbor.Cloud, error) {
	p := run.parallel(stepGraph, w.threads)
	p.Report = nil
	g, _, err := w.graph(p, graphKey{adjacency: k})
	return g, w.cloud, err
}
