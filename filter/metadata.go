// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"runtime"

	"superpoint/filter/method"
	"superpoint/partition/metrics"
)

// recordView adds the view to the record.
func (f *Filter) recordView(p *partitioned, s *settings, seconds map[string]float64) {
	r := &f.record
	first := r.views == 0
	r.views++
	r.points += p.cloud.Len()
	r.edges += p.graph.Edges()
	r.across += p.across
	r.energy += p.Energy
	r.regularization.add(p.Regularization, first)
	r.resolution.add(p.Resolution, first)
	r.lambda.add(p.Lambda, first)
	r.minSize, r.last = p.MinSize, *s
	if r.seconds == nil {
		r.seconds = map[string]float64{}
	}
	for name, time := range seconds {
		r.seconds[name] += time
	}
	at := len(r.sizes)
	r.sizes = append(r.sizes, make([]uint32, p.Count)...)
	for _, c := range p.Component {
		r.sizes[at+int(c)]++
	}
	if p.truth != nil {
		if r.truth == nil {
			r.truth = new(metrics.Counts)
		}
		r.truth.Add(*p.truth)
	}
}

// Summary describes all views so far. Sizes are in points, times in seconds, lengths
// in metres, metrics in shares (1 = 100 %). A field with two numbers is the range
// over the views.
type Summary struct {
	Version        string             `json:"version"`
	Method         string             `json:"method"`
	Views          int                `json:"views"`
	Points         int                `json:"points"`
	Superpoints    int                `json:"superpoints"`
	Size           *metrics.Sizes     `json:"size,omitempty"`
	Model          string             `json:"model,omitempty"`
	ModelHash      string             `json:"model_sha256,omitempty"` // first 16 hexadecimal digits
	Device         string             `json:"device"`
	Fallbacks      []string           `json:"device_fallbacks,omitempty"` // steps on the CPU instead of the GPU, and why
	Threads        int                `json:"threads"`
	Solver         string             `json:"solver,omitempty"`
	Regularization *valueRange        `json:"regularization,omitempty"` // λ̃
	Lambda         *valueRange        `json:"lambda,omitempty"`         // λ
	Energy         float64            `json:"energy,omitempty"`         // GMPP
	SeedResolution *valueRange        `json:"seed_resolution,omitempty"`
	TargetSize     float64            `json:"target_size,omitempty"`
	MinSize        int                `json:"min_size,omitempty"`
	SpatialWeight  *float64           `json:"spatial_weight,omitempty"`
	EdgeDecay      float64            `json:"edge_decay,omitempty"`
	KNN            int                `json:"knn"`
	AdjacencyKNN   int                `json:"adjacency_knn"`
	AcrossLines    int                `json:"across_lines"` // points with edges to the scan lines beside them
	Delaunay       bool               `json:"delaunay"`
	Edges          int                `json:"edges"`
	Seconds        map[string]float64 `json:"seconds"` // by step, and "total"
	Metrics        *Metrics           `json:"metrics,omitempty"`
	Classes        *Classified        `json:"classes,omitempty"`
}

// Metrics compare the superpoints with the truth; see package metrics.
type Metrics struct {
	metrics.Scores
	Objects int64 `json:"objects"`
	Pieces  int64 `json:"pieces"`
	// neighbours in the graph on which boundaries and connected components are counted
	AdjacencyKNN int `json:"adjacency_knn"`
}

// Summary describes all views so far.
func (f *Filter) Summary() *Summary {
	r := &f.record
	s := &Summary{
		Version: Version, Method: f.options.Method, Views: r.views, Points: r.points,
		Superpoints: len(r.sizes), Device: f.device.Name(f.embedder()),
		Fallbacks: f.device.Fallbacks(), Threads: cmp.Or(f.options.Threads,
			runtime.GOMAXPROCS(0)),
		TargetSize: f.options.TargetSize, KNN: f.embeddingKNN(), AdjacencyKNN: r.last.adjacency, AcrossLines: r.across,
		Delaunay: r.last.delaunay,
		Edges:    r.edges, Seconds: map[string]float64{},
	}
	total := 0.0
	for _, name := range Steps() { // in a fixed order, so that the rounded sum is reproducible
		if t, ok := r.seconds[name]; ok {
			s.Seconds[name] = milliseconds(t)
			total += t
		}
	}
	s.Seconds["total"] = milliseconds(total)
	if f.model != nil {
		s.Model, s.ModelHash = f.model.Name, f.model.Sum
	}
	if r.views > 0 {
		s.Size = metrics.SizesOf(r.sizes)
		f.summariseMethod(s)
	}
	if f.classifier != nil && r.views > 0 {
		s.Classes = r.classes.summary(f.classifier.Card, r.points, f.table.Name)
	}
	if r.truth != nil {
		s.Metrics = &Metrics{r.truth.Scores(), r.truth.Objects, r.truth.Pieces, MetricsKNN}
	}
	return s
}

// embeddingKNN returns the number of neighbours that the embedding or, without one,
// the method reads. The adjacency graph may need more.
func (f *Filter) embeddingKNN() int {
	if f.model != nil && !f.options.usesFeatures() {
		return f.model.Neighbors
	}
	return f.record.last.knn
}

func (f *Filter) summariseMethod(s *Summary) {
	r := &f.record
	if !method.Named(f.options.Method).GMPP {
		s.SeedResolution = &r.resolution
		return
	}
	s.Solver, s.Regularization, s.Lambda, s.Energy = f.options.Solver, &r.regularization, &r.lambda, r.energy
	if s.Solver == method.Auto {
		s.Solver = method.AutoSolver
	}
	s.MinSize, s.SpatialWeight, s.EdgeDecay = r.minSize, &r.last.SpatialWeight, r.last.EdgeDecay
}

func milliseconds(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }

// Metadata returns Summary as a JSON object.
func (f *Filter) Metadata() ([]byte, error) {
	text, err := json.Marshal(f.Summary())
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	return text, nil
}

// record accumulates the summary of all views so far.
type record struct {
	views, points, edges   int
	across                 int      // points joined across scan lines
	sizes                  []uint32 // of every superpoint
	seconds                map[string]float64
	energy                 float64
	regularization, lambda valueRange // λ̃ and λ
	resolution             valueRange // distance of seeds in metres
	minSize                int
	last                   settings
	truth                  *metrics.Counts
	classes                classCounts
}

// valueRange is a range of values over the views.
type valueRange struct{ lo, hi float64 }

func (s *valueRange) add(v float64, first bool) {
	if first {
		*s = valueRange{v, v}
		return
	}
	s.lo, s.hi = min(s.lo, v), max(s.hi, v)
}

// MarshalJSON writes one number if all views agree, else a pair.
func (s valueRange) MarshalJSON() ([]byte, error) {
	if s.lo == s.hi {
		return json.Marshal(s.lo)
	}
	return json.Marshal([2]float64{s.lo, s.hi})
}
