// SPDX-License-Identifier: BSD-3-Clause

package metrics

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Truth holds the true labels of every point, in the order of the points.
// Negative labels are ignored. If Class is nil, there is no OOA. If Object is
// nil, it is computed from Class by Objects.
type Truth struct {
	Class  []int32
	Object []int32
}

// Ratio is a quotient of counts. It is NaN, and null in JSON, when its
// denominator is zero.
type Ratio float64

// Percent returns the ratio in per cent with one digit; "–" for NaN.
func (r Ratio) Percent() string {
	if math.IsNaN(float64(r)) {
		return "–"
	}
	return strconv.FormatFloat(100*float64(r), 'f', 1, 64)
}

// Digits returns the ratio with six digits; "" for NaN.
func (r Ratio) Digits() string {
	if math.IsNaN(float64(r)) {
		return ""
	}
	return strconv.FormatFloat(float64(r), 'f', 6, 64)
}

// Known returns the ratio, or 0 for NaN.
func (r Ratio) Known() float64 {
	if math.IsNaN(float64(r)) {
		return 0
	}
	return float64(r)
}

// MarshalJSON writes NaN as null.
func (r Ratio) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(r)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(r))
}

func ratio(part, whole int64) Ratio { return Ratio(float64(part) / float64(whole)) } // 0/0 is NaN

// Counts are the integers from which the metrics are computed. Adding the counts of several
// clouds gives the micro-average that the paper's tables report.
type Counts struct {
	Points        int64 `json:"points"`
	Segments      int64 `json:"segments"`
	Pieces        int64 `json:"pieces"`         // connected components of all segments on the graph
	Classified    int64 `json:"classified"`     // points with a class
	Pure          int64 `json:"pure"`           // points of their segment's majority class
	InObject      int64 `json:"in_object"`      // points with an object
	Overlap       int64 `json:"overlap"`        // points of their segment's majority object
	Objects       int64 `json:"objects"`        // distinct objects
	TrueEdges     int64 `json:"true_edges"`     // |E_true|
	Predicted     int64 `json:"pred_edges"`     // |E_pred|
	TrueFound     int64 `json:"true_found"`     // |E_true ∩ expand(E_pred)|
	PredictedGood int64 `json:"pred_confirmed"` // |E_pred ∩ expand(E_true)|
}

// Add adds the counts of another cloud.
func (c *Counts) Add(o Counts) {
	c.Points += o.Points
	c.Segments += o.Segments
	c.Pieces += o.Pieces
	c.Classified += o.Classified
	c.Pure += o.Pure
	c.InObject += o.InObject
	c.Overlap += o.Overlap
	c.Objects += o.Objects
	c.TrueEdges += o.TrueEdges
	c.Predicted += o.Predicted
	c.TrueFound += o.TrueFound
	c.PredictedGood += o.PredictedGood
}

// Sizes are statistics of the numbers of points of superpoints. Quantiles are by nearest rank.
type Sizes struct {
	Mean   Ratio  `json:"mean"`
	Min    uint32 `json:"min"`
	P05    uint32 `json:"p05"`
	P25    uint32 `json:"p25"`
	Median uint32 `json:"median"`
	P75    uint32 `json:"p75"`
	P95    uint32 `json:"p95"`
	Max    uint32 `json:"max"`
}

// SizesOf returns the statistics of sizes.
func SizesOf(sizes []uint32) *Sizes {
	sorted := slices.Sorted(slices.Values(sizes))
	sum := int64(0)
	for _, n := range sorted {
		sum += int64(n)
	}
	at := func(percent int) uint32 { return sorted[max((len(sorted)*percent+99)/100, 1)-1] }
	return &Sizes{Mean: ratio(sum, int64(len(sorted))), Min: at(0), P05: at(5), P25: at(25),
		Median: at(50), P75: at(75),
		P95: at(95), Max: at(100)}
}

// Report is the result of Evaluate.
type Report struct {
	Scores
	Counts Counts `json:"counts"`
}
