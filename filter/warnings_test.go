// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"strings"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/filter/steps"

	"superpoint/filter/models"
	"superpoint/testdata/must"
)

// TestBlankDimensions: the filter warns of a dimension that a model reads and that is 0 at all points, and
// only then.
func TestBlankDimensions(t *testing.T) {
	f := mustFilter(t, `{"model":"geometric"}`)
	view := metres([]float64{0, 1, 2}, []float64{0, 0, 1}, []float64{0, 0, 0})
	for _, c := range []struct {
		name   string
		values []float64
		warns  bool
	}{
		{"all 0", []float64{0, 0, 0}, true},
		{"0 and more", []float64{0, 7, 0}, false},
		{"0 and less", []float64{0, 0, -7}, false},
		{"all the same", []float64{7, 7, 7}, false},
		{"no 0", []float64{1, 2, 3}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := ""
			f.log = func(_ int, text string) { said += text }
			f.model = &models.Model{Needs: []string{"Intensity"}}
			view.Dimensions["Intensity"] = c.values
			cloud.WarnOfBlank(view, f.required(), f.log)
			must.Equal(t, strings.Contains(said, "it reads Intensity, which the points have as 0 only"),
				c.warns, "a warning of Intensity in %q", said)
		})
	}
}

// TestLastIDs: ids are 32-bit integers. A view whose last id is one below the largest is segmented, the next
// is refused, and the ids of the error are those it would have had.
func TestLastIDs(t *testing.T) {
	view, _ := roof(2000, 4)
	count := uint32(mustSegment(t, mustFilter(t, `{"model":"geometric"}`), view).Count)
	must.Need(t, count > 1, "%d superpoints: nothing is tested", count)
	for _, c := range []struct {
		name  string
		first uint32
		fails string
	}{
		{"ends at 2³² − 2", math.MaxUint32 - count, ""},
		{"ends at 2³² − 1", math.MaxUint32 - count + 1, "ids from"},
		{"begins at 2³² − 1", math.MaxUint32, "ids from"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustFilter(t, `{"model":"geometric"}`)
			f.next = c.first
			s, err := f.Segment(steps.Run{}, view)
			must.Says(t, err, c.fails, "segmentation")
			if err != nil {
				must.Equal(t, f.next, c.first, "the next id after an error")
				return
			}
			must.Equal(t, s.First, c.first, "first id")
			must.Equal(t, f.next, math.MaxUint32, "the next id")
			must.Says(t, second(f.Segment(steps.Run{}, view)), "ids from 4294967295", "the next view")
		})
	}
}

// second returns an error without the value before it.
func second(_ *Segmentation, err error) error { return err }
