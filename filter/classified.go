// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// classCounts counts the classes of the points of all views so far.
type classCounts struct {
	points       [math.MaxUint8 + 1]int // by code, protected points included
	protected    int                    // points that kept their class
	confidence   float64                // sum over the points that got a class
	isolated     int                    // points that are not protected, and have no confidence
	unclassified int                    // points below min_confidence
	unsure       float64                // 1 − mean confidence, the largest of the views
}

// count adds a point. A class outside 0 to 255, which a protected point may have in
// other dimensions than Classification, is not counted in points.
func (c *classCounts) count(class float64, protected bool, confidence float32) {
	if class >= 0 && class <= math.MaxUint8 {
		c.points[uint8(class)]++
	}
	switch {
	case protected:
		c.protected++
	case confidence == 0:
		c.isolated++
	default:
		c.confidence += float64(confidence)
	}
}

// Classified is the result of the option classes, in the metadata.
type Classified struct {
	Points       []ClassCount `json:"points"`              // by code
	Confidence   float64      `json:"mean_confidence"`     // of the points that are not protected or isolated
	Protected    int          `json:"protected"`           // points that kept their class (class_change)
	Unclassified int          `json:"unclassified"`        // points below min_confidence
	Uncertain    string       `json:"uncertain,omitempty"` // says that the mean confidence of a view is low
	Limits       []string     `json:"limits,omitempty"`    // from the card: what the classifier is known to miss
}

// ClassCount is the number of points of a class.
type ClassCount struct {
	Code  int    `json:"code"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// summary returns the counts of points points, with the names of their codes and the limits of a card.
func (c *classCounts) summary(card *classes.Card, points int, name func(code int) string) *Classified {
	s := &Classified{Points: []ClassCount{}, Protected: c.protected, Unclassified: c.unclassified,
		Limits: card.Training.Limits, Uncertain: classes.UncertainText(1 - c.unsure)}
	for code, n := range c.points {
		if n == 0 {
			continue
		}
		s.Points = append(s.Points, ClassCount{Code: code, Name: name(code), Count: n})
	}
	if given := points - c.protected - c.isolated; given > 0 {
		s.Confidence = math.Round(1e4*c.confidence/float64(given)) / 1e4
	}
	return s
}

// String returns the result as one line of text.
func (s *Classified) String() string {
	total := 0
	for _, p := range s.Points {
		total += p.Count
	}
	var parts []string
	for _, p := range s.Points {
		parts = append(parts, fmt.Sprintf("%s %.1f %%", p.Name, 100*float64(p.Count)/float64(total)))
	}
	text := strings.Join(parts, ", ")
	if s.Confidence > 0 {
		text += fmt.Sprintf("; mean confidence %.2f", s.Confidence)
	}
	if s.Uncertain != "" {
		text += " (uncertain: check them)"
	}
	if s.Unclassified > 0 {
		text += fmt.Sprintf("; %s below min_confidence", message.Count(s.Unclassified, "point"))
	}
	if s.Protected > 0 {
		text += fmt.Sprintf("; %s unchanged (class_change)", message.Count(s.Protected, "point"))
	}
	return text
}

// ClassInput returns the superpoints of a workspace's view as the input of a
// classifier, and the id of each. id and embedding (number of points × dim) are in the
// order of the view; points of id 0 have no superpoint.
func (w *Workspace) ClassInput(id []uint32, dim int, embedding []float32) (*classes.Superpoints, []uint32, error) {
	n := w.cloud.Len()
	if len(id) != n || len(embedding) != n*dim {
		return nil, nil, fmt.Errorf("%d ids and %d values of embeddings of length %d for %d points", len(id), len(embedding),
			dim, n)
	}
	ids := arrays.Values(id, func(v uint32) bool { return v == 0 })
	attributes, err := w.View.gather(parallel.Run{}, w.cloud.Order, w.View.classInputs())
	if err != nil {
		return nil, nil, err
	}
	s := &classes.Superpoints{
		Cloud: w.cloud, Neighbors: w.lists, Component: make([]uint32, n), Count: len(ids),
		Dim: dim, Embedding: make([]float32, n*dim), Attributes: attributes, Noise: make([]bool, n),
	}
	withheld := w.View.withheld()
	for i, from := range w.cloud.Order {
		s.Component[i] = arrays.Rank(ids, id[from])
		copy(s.Embedding[i*dim:(i+1)*dim], embedding[int(from)*dim:])
		s.Noise[i] = withheld(from)
	}
	return s, ids, s.FindOutliers(parallel.Run{})
}

// Order returns the index in the view of each point of the workspace's cloud.
func (w *Workspace) Order() []uint32 { return w.cloud.Order }

// Parallel returns a run for loops, with the threads of the workspace.
func (w *Workspace) Parallel(run Run) parallel.Run {
	return run.parallel(stepOutput, w.threads).Quiet()
}
