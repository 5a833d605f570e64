package filter

import (
	"fmt"
	"math"
	"strings"

	"superpoint/embed/classes"
)

// classCounts is what classes were given to the points of all views so far.
type classCounts struct {
	points    [math.MaxUint8 + 1]int // by code, those of class_change's exceptions among them
	protected int                    // points whose class class_change kept
	sure      float64                // sum of the confidence of the others
}

// add adds those of another view.
func (c *classCounts) add(o *classCounts) {
	for code, n := range o.points {
		c.points[code] += n
	}
	c.protected += o.protected
	c.sure += o.sure
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
}

// ClassCount is a class that points have afterwards.
type ClassCount struct {
	Code  int    `json:"code"`
	Name  string `json:"name,omitempty"` // "" if the classifier does not know it
	Count int    `json:"count"`
}

// summary of counts, with the names of a card; points is their number.
func (c *classCounts) summary(card *classes.Card, points int) *Classified {
	s := &Classified{Points: []ClassCount{}, Protected: c.protected}
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
	if s.Protected > 0 {
		text += fmt.Sprintf("; %d points keep the class they had (class_change)", s.Protected)
	}
	return text
}
