package filter

import (
	"fmt"
	"math"
	"strings"

	"superpoint/embed/classes"
	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
)

// classCounts is what classes were given to the points of all views so far.
type classCounts struct {
	points    [math.MaxUint8 + 1]int // by code, those of class_change's exceptions among them
	protected int                    // points whose class class_change kept
	sure      float64                // sum of the confidence of the others
	unsure    int                    // points that min_confidence left unclassified
	unlike    float64                // share of features beyond those learned, of the view that is most unlike
}

// add adds those of another view.
func (c *classCounts) add(o *classCounts) {
	for code, n := range o.points {
		c.points[code] += n
	}
	c.protected += o.protected
	c.sure += o.sure
	c.unsure += o.unsure
	c.unlike = max(c.unlike, o.unlike)
}

// count adds a point. A class that is no code, which only a dimension of others can
// have, is counted as protected only.
func (c *classCounts) count(class float64, protected bool, confidence float32) {
	if class >= 0 && class <= math.MaxUint8 {
		c.points[uint8(class)]++
	}
	if protected {
		c.protected++
	} else {
		c.sure += float64(confidence)
	}
}

// Classified is what the option classes did.
type Classified struct {
	Points     []ClassCount `json:"points"`          // by code
	Confidence float64      `json:"mean_confidence"` // of the points that were given a class
	Protected  int          `json:"protected"`       // points whose class class_change kept
	Unsure     int          `json:"unclassified"`    // points that min_confidence left without a class
	// share of features whose mean is beyond that of all clouds learned, of the view that is most unlike
	Unlike float64 `json:"unlike_training"`
}

// ClassCount is a class that points have afterwards.
type ClassCount struct {
	Code  int    `json:"code"`
	Name  string `json:"name,omitempty"` // "" if the classifier does not know it
	Count int    `json:"count"`
}

// summary of counts, with the names of a card; points is their number.
func (c *classCounts) summary(card *classes.Card, points int) *Classified {
	s := &Classified{Points: []ClassCount{}, Protected: c.protected, Unsure: c.unsure,
		Unlike: math.Round(1e3*c.unlike) / 1e3}
	for code, n := range c.points {
		if n == 0 {
			continue
		}
		count := ClassCount{Code: code, Count: n}
		for _, class := range card.Classes {
			if class.Code == code {
				count.Name = class.Name
			}
		}
		s.Points = append(s.Points, count)
	}
	if given := points - c.protected; given > 0 {
		s.Confidence = math.Round(1e4*c.sure/float64(given)) / 1e4
	}
	return s
}

// String is a line to read.
func (s *Classified) String() string {
	total := 0
	for _, p := range s.Points {
		total += p.Count
	}
	var parts []string
	for _, p := range s.Points {
		name := p.Name
		if name == "" {
			name = fmt.Sprint("class ", p.Code)
		}
		parts = append(parts, fmt.Sprintf("%s %d (%.1f %%)", name, p.Count, 100*float64(p.Count)/float64(total)))
	}
	text := "classes: " + strings.Join(parts, ", ")
	if s.Protected < total {
		text += fmt.Sprintf("; mean confidence %.2f", s.Confidence)
	}
	if s.Unsure > 0 {
		text += fmt.Sprintf("; %d points are below min_confidence", s.Unsure)
	}
	if s.Unlike > 0 {
		text += fmt.Sprintf("; %.0f %% of the features are beyond those learned", 100*s.Unlike)
	}
	if s.Protected > 0 {
		text += fmt.Sprintf("; %d points keep the class they had (class_change)", s.Protected)
	}
	return text
}

// ClassInput returns the superpoints of a workspace's view as a classifier takes
// them, and the id of each. Ids and embedding (number of points × dim) are in the
// order of the view; points of id 0 have no superpoint.
func (w *Workspace) ClassInput(id []uint32, dim int, embedding []float32) (*classes.Superpoints, []uint32, error) {
	n := w.cloud.Len()
	if len(id) != n || len(embedding) != n*dim {
		return nil, nil, fmt.Errorf("%d ids and %d values of embeddings of length %d for %d points", len(id), len(embedding),
			dim, n)
	}
	ids := arrays.Values(id, func(v uint32) bool { return v == 0 })
	s := &classes.Superpoints{
		Cloud: w.cloud, Neighbors: w.lists, Component: make([]uint32, n), Count: len(ids),
		Dim: dim, Embedding: make([]float32, n*dim), Attributes: map[string][]float32{},
	}
	for i, from := range w.cloud.Order {
		s.Component[i] = arrays.Rank(ids, id[from])
		copy(s.Embedding[i*dim:(i+1)*dim], embedding[int(from)*dim:])
	}
	s.Noise = make([]bool, n)
	for i, from := range w.cloud.Order {
		s.Noise[i] = w.View.withheld(int(from))
	}
	for _, name := range classes.Dimensions() {
		values := w.View.Dimensions[name]
		if values == nil {
			continue
		}
		s.Attributes[name] = make([]float32, n)
		err := parallel.Run{}.For(n, grain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				s.Attributes[name][i] = float32(values[w.cloud.Order[i]])
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return s, ids, s.SetApart(parallel.Run{})
}

// Order returns where in the view each point of the workspace's cloud comes from.
func (w *Workspace) Order() []uint32 { return w.cloud.Order }

// Parallel is a run's way through loops, with the threads of the workspace.
func (w *Workspace) Parallel(run Run) parallel.Run {
	return run.parallel(stepOutput, w.threads).Quiet()
}
