package classes

import (
	"math"
	"strings"
	"testing"

	"superpoint/partition/parallel"
)

// TestRadius classifies squares of points 1 m apart, by a classifier that learned
// clouds as dense, denser, and sparser.
func TestRadius(t *testing.T) {
	s := squares(t, 0, [3]float64{0, 0, 0}, [3]float64{10, 0, 2}, [3]float64{0, 10, 0})
	f, err := Describe(parallel.Run{}, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	radius := f.Radius()
	if radius < 1 || radius > 20 {
		t.Errorf("20 neighbours of points 1 m apart are within %v m", radius)
	}
	m, err := New(testCard())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		learned []float64
		want    string
	}{
		{nil, ""}, {[]float64{radius}, ""}, {[]float64{radius * 1.9, radius * 9}, ""}, {[]float64{radius / 1.9}, ""},
		{[]float64{radius / 9, radius / 2.1}, "many classes may be wrong"}, {[]float64{radius * 2.1}, "teach it this cloud"},
	} {
		m.Card.Radius = nil
		for _, r := range c.learned {
			m.Card.Learned(r)
		}
		got, err := m.Classify(parallel.Run{}, s)
		if err != nil || (got.Warning == "") != (c.want == "") || !strings.Contains(got.Warning, c.want) {
			t.Errorf("learned %v m, has %v m: %q, %v", m.Card.Radius, radius, got.Warning, err)
		}
	}
	for _, bad := range [][]float64{{}, {1}, {0, 1}, {2, 1}, {math.NaN(), 1}} {
		if m.Card.Radius = bad; m.Card.Validate() == nil {
			t.Errorf("radius %v is taken", bad)
		}
	}
}
