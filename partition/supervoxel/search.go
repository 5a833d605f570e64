package supervoxel

import (
	"fmt"
	"math"
	"slices"
)

// Tolerance is how far the number of segments may be from the wanted one, as a
// share of it.
const Tolerance = 0.05

// maxTries ends a search whose counts jump over the wanted one.
const maxTries = 24

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
	low, high := 0.0, math.Inf(1) // too many at low, too few at high
	r, gap := guess, math.Inf(1)
	for range maxTries {
		c, err := count(r)
		if err != nil {
			return 0, 0, err
		}
		if d := math.Abs(float64(c - want)); d <= gap {
			best, n, gap = r, c, d
		}
		if gap <= Tolerance*float64(want) {
			break
		}
		if c > want {
			low = max(low, r)
		} else {
			high = min(high, r)
		}
		step := min(max(math.Sqrt(float64(max(c, 1))/float64(max(want, 1))), 0.25), 4)
		switch next := r * step; {
		case next > low && next < high && (low == 0 || math.IsInf(high, 1)):
			r = next
		case low > 0 && low < high && !math.IsInf(high, 1):
			r = math.Sqrt(low * high)
		default:
			return best, n, nil // counts that rise with the resolution
		}
		if high/low < 1+1e-6 {
			break
		}
	}
	return best, n, nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// Fit searches for the resolution at which a method makes the wanted number of
// segments: first by the number of seeds, which costs little, then by segments,
// and returns the best segmentation tried.
func Fit(want int, guess float64, seeds func(resolution float64) (int, error), segment func(resolution float64) (*Segmentation, error)) (*Segmentation, error) {
	guess, _, err := Search(want, guess, seeds)
	if err != nil {
		return nil, err
	}
	var best *Segmentation
	gap := func(s *Segmentation) int { return max(s.Count-want, want-s.Count) }
	_, _, err = Search(want, guess, func(r float64) (int, error) {
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
