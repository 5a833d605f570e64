// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"runtime"

	"superpoint/embed"
	"superpoint/filter/land"
	"superpoint/filter/method"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/partition/metrics"
)

// recordView adds the view to the record.
func (f *Filter) recordView(p *partitioned, s option.Settings, seconds map[string]float64) {
	r := &f.record
	first := r.views == 0
	r.views++
	r.points += p.Cloud.Len()
	r.edges += p.Edges
	r.across += p.Across
	r.resolution.add(p.Resolution, first)
	r.last = s
	if first {
		r.levels = make([]levelRecord, 1+len(p.Coarser))
	}
	r.levels[0].add(&p.Level)
	for k := range p.Coarser {
		r.levels[k+1].add(&p.Coarser[k])
	}
	if r.seconds == nil {
		r.seconds = map[string]float64{}
	}
	for name, time := range seconds {
		r.seconds[name] += time
	}
}

// Summary describes all views so far. Sizes are in points, times in seconds, lengths
// in metres. A field with two numbers is the range over the views.
type Summary struct {
	Version     string         `json:"version"`
	Method      string         `json:"method"`
	Views       int            `json:"views"`
	Points      int            `json:"points"`
	Superpoints int            `json:"superpoints"`
	Size        *metrics.Sizes `json:"size,omitempty"`
	Model       string         `json:"model,omitempty"`
	ModelHash   string         `json:"model_sha256,omitempty"` // first 16 hexadecimal digits
	Device      string         `json:"device"`
	// steps on the CPU instead of the GPU, and why
	Fallbacks      []string           `json:"device_fallbacks,omitempty"`
	Threads        int                `json:"threads"`
	Solver         string             `json:"solver,omitempty"`
	Regularization *valueRange        `json:"regularization,omitempty"` // λ̃
	Lambda         *valueRange        `json:"lambda,omitempty"`         // λ
	Energy         float64            `json:"energy,omitempty"`         // GMPP
	SeedResolution *valueRange        `json:"seed_resolution,omitempty"`
	TargetSize     float64            `json:"target_size,omitempty"` // of the finest level
	Coarser        []CoarserLevel     `json:"coarser,omitempty"`     // levels
	MinSize        int                `json:"min_size,omitempty"`
	SpatialWeight  *float64           `json:"spatial_weight,omitempty"`
	EdgeDecay      float64            `json:"edge_decay,omitempty"`
	KNN            int                `json:"knn"`
	AdjacencyKNN   int                `json:"adjacency_knn"`
	AcrossLines    int                `json:"across_lines"` // points with edges to the scan lines beside them
	Delaunay       bool               `json:"delaunay"`
	Edges          int                `json:"edges"`
	Seconds        map[string]float64 `json:"seconds"` // by step, and "total"
	Classes        *land.Summary      `json:"classes,omitempty"`
}

// CoarserLevel is a coarser level of nested superpoints.
type CoarserLevel struct {
	Dimension      string         `json:"dimension"`
	Superpoints    int            `json:"superpoints"`
	Size           *metrics.Sizes `json:"size"`
	TargetSize     float64        `json:"target_size"`
	MinSize        int            `json:"min_size"`
	Regularization *valueRange    `json:"regularization"` // λ̃
	Lambda         *valueRange    `json:"lambda"`         // λ
	Energy         float64        `json:"energy"`
}

// Summary describes all views so far.
func (f *Filter) Summary() *Summary {
	r := &f.record
	s := &Summary{
		Version: Version, Method: f.options.Method, Views: r.views, Points: r.points,
		Device:    f.device.Name(f.embedder()),
		Fallbacks: f.device.Fallbacks(), Threads: cmp.Or(f.options.Threads,
			runtime.GOMAXPROCS(0)),
		KNN: f.embeddingKNN(), AdjacencyKNN: r.last.Graph.Nearest, AcrossLines: r.across,
		Delaunay: r.last.Delaunay,
		Edges:    r.edges, Seconds: map[string]float64{},
	}
	total := 0.0
	for _, name := range steps.Names() { // in a fixed order, so that the rounded sum is reproducible
		if t, ok := r.seconds[name]; ok {
			s.Seconds[name] = milliseconds(t)
			total += t
		}
	}
	s.Seconds["total"] = milliseconds(total)
	if f.model != nil {
		s.Model, s.ModelHash = f.model.Name, f.model.Sum
	}
	if sizes := r.last.TargetSize; sizes != nil {
		s.TargetSize = sizes[0]
	}
	if r.views > 0 {
		s.Superpoints = len(r.levels[0].sizes)
		s.Size = metrics.SizesOf(r.levels[0].sizes)
		f.summariseMethod(s)
	}
	if r.views > 0 {
		s.Classes = f.Classes()
	}
	return s
}

// embeddingKNN returns the number of neighbours that the embedding or, without one, the method reads. The
// adjacency graph may need more.
func (f *Filter) embeddingKNN() int {
	if f.model != nil {
		return f.model.Neighbors
	}
	return f.record.last.KNN
}

// embedder returns the model's embedder; nil without a model.
func (f *Filter) embedder() embed.Embedder {
	if f.model == nil {
		return nil
	}
	return f.model.Embedder
}

func (f *Filter) summariseMethod(s *Summary) {
	r := &f.record
	if !method.Named(f.options.Method).GMPP {
		s.SeedResolution = &r.resolution
		return
	}
	l := &r.levels[0]
	s.Solver = f.options.Solver
	s.Regularization = &l.regularization
	s.Lambda = &l.lambda
	s.Energy = l.energy
	if s.Solver == method.Auto {
		s.Solver = method.AutoSolver
	}
	s.MinSize = l.minSize
	s.SpatialWeight = &r.last.SpatialWeight
	s.EdgeDecay = r.last.EdgeDecay
	for k := 1; k < len(r.levels); k++ {
		l := &r.levels[k]
		s.Coarser = append(s.Coarser, CoarserLevel{
			Dimension: f.options.IDDimensions()[k], Superpoints: len(l.sizes), Size: metrics.SizesOf(l.sizes),
			TargetSize: r.last.TargetSize[k], MinSize: l.minSize,
			Regularization: &l.regularization, Lambda: &l.lambda, Energy: l.energy,
		})
	}
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
