package supervoxel

import (
	"fmt"
	"math"
	"slices"
)

// Tolerance is how far the number of segments may be from the wanted one, as a
// share of it.
const Tolerance = 0.05

// A search whose counts jump over the wanted one ends after so many tries. Each try of
// Fit's second search is a segmentation of the whole cloud.
const (
	maxTries    = 24
	maxSegments = 6
)

// A search ends between two resolutions that differ by less than closest. Seeds
// that pass over the wanted number between two that differ by less than jump do
// so at once: smooth counts change by far less than the tolerance there.
const (
	closest = 1e-6
	jump    = 1e-3
)

// Wanted returns the number of segments that n points make at a mean size.
func Wanted(n int, size float64) (int, error) {
	if !(size >= 1) || math.IsInf(size, 0) {
		return 0, fmt.Errorf("supervoxel: mean size of %v points; give a number of at least 1, for example 100", size)
	}
	return max(int(math.Round(float64(n)/size)), min(n, 1)), nil
}

// Search looks for a resolution whose count is within Tolerance of the wanted
// one: from the guess by steps of the power law of surfaces, count ~ r^−2, until
// two resolutions enclose it, then by bisection of log r. Counts are expected to
// fall with growing resolution, but need not. It returns the best resolution
// tried, the last one tried when equal, and its count.
func Search(want int, guess float64, count func(resolution float64) (int, error)) (best float64, n int, err error) {
	h := newHunt(want, closest, maxTries)
	err = h.run([]float64{guess}, count)
	return h.best, h.n, err
}

// hunt is what a search knows.
type hunt struct {
	want      int
	tries     int     // at most
	end       float64 // ends when low and high differ by less, as a share
	low, high float64 // too many at low, too few at high
	best      float64 // resolution
	n         int     // its count
	gap       float64 // between n and want
}

func newHunt(want int, end float64, tries int) *hunt {
	return &hunt{want: want, end: end, tries: tries, high: math.Inf(1), gap: math.Inf(1)}
}

// met tells whether the best count is near enough.
func (h *hunt) met() bool { return h.gap <= Tolerance*float64(h.want) }

// enclosed tells whether too many and too few are known.
func (h *hunt) enclosed() bool { return h.low > 0 && h.low < h.high && !math.IsInf(h.high, 1) }

// ended tells whether low and high are so close that there is nothing between.
func (h *hunt) ended() bool { return h.enclosed() && h.high/h.low < 1+h.end }

// run tries the first resolutions, then goes on from the last of them.
func (h *hunt) run(first []float64, count func(resolution float64) (int, error)) error {
	for range h.tries {
		r := first[0]
		c, err := count(r)
		if err != nil {
			return err
		}
		if d := math.Abs(float64(c - h.want)); d <= h.gap {
			h.best, h.n, h.gap = r, c, d
		}
		if h.met() {
			return nil
		}
		if c > h.want {
			h.low = max(h.low, r)
		} else {
			h.high = min(h.high, r)
		}
		if h.ended() {
			return nil
		}
		if first = first[1:]; len(first) > 0 {
			continue
		}
		next, ok := h.next(r, c)
		if !ok {
			return nil // counts that rise with the resolution
		}
		first = []float64{next}
	}
	return nil
}

// next returns the resolution to try after r with its count.
func (h *hunt) next(r float64, count int) (float64, bool) {
	step := min(max(math.Sqrt(float64(max(count, 1))/float64(max(h.want, 1))), 0.25), 4)
	switch next := r * step; {
	case next > h.low && next < h.high && (h.low == 0 || math.IsInf(h.high, 1)):
		return next, true
	case h.enclosed():
		return math.Sqrt(h.low * h.high), true
	}
	return 0, false
}

// Fit searches for the resolution at which a method makes the wanted number of
// segments: first by the number of seeds, which costs little, then by segments,
// and returns the best segmentation tried. Where seeds jump over the wanted
// number, as on a lattice of points, of which whole planes change cubes at once,
// segments are tried on both sides of the jump before anywhere else.
func Fit(want int, guess float64, seeds func(resolution float64) (int, error),
	segment func(resolution float64) (*Segmentation, error)) (*Segmentation, error) {
	h := newHunt(want, jump, maxTries)
	if err := h.run([]float64{guess}, seeds); err != nil {
		return nil, err
	}
	first, end := []float64{h.best}, closest
	if !h.met() && h.ended() {
		end = jump
		first = append(first, slices.DeleteFunc([]float64{h.low, h.high}, func(r float64) bool { return r == h.best })...)
	}
	var best *Segmentation
	gap := func(s *Segmentation) int { return max(s.Count-want, want-s.Count) }
	err := newHunt(want, end, maxSegments).run(first, func(r float64) (int, error) {
		s, err := segment(r)
		if err != nil {
			return 0, err
		}
		if best == nil || gap(s) < gap(best) {
			best = s
		}
		return s.Count, nil
	})
	return best, err
}
