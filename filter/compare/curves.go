package compare

import (
	"cmp"
	"math"
	"slices"

	"superpoint/filter"
	"superpoint/partition/metrics"
)

// point is a system at one setting on a whole data set.
type point struct {
	option   string
	value    float64
	counts   metrics.Counts
	seconds  float64
	memory   float64 // largest memory, bytes per point
	segments float64
	scores   metrics.Scores
	files    int
}

// curve has the results of one system on one data set.
type curve struct {
	set, system string
	points      []point // by number of segments
}

// drawn returns the points of a line in the figure: those of the values of λ̃ if there are several, else
// those of the wanted sizes.
func (c *curve) drawn() []point {
	var sweep, targets []point
	for _, p := range c.points {
		switch p.option {
		case byStrength:
			sweep = append(sweep, p)
		case bySize: // the same segmentations as byPieces, or nearly
		default:
			targets = append(targets, p)
		}
	}
	if len(sweep) > 1 {
		return sweep
	}
	return targets
}

// curves adds the counts of the files of each data set, without settings that failed on one of the
// files.
func curves(results []Result, sets, systems []string) []curve {
	var all []curve
	for _, set := range sets {
		files := map[string]bool{}
		for i := range results {
			if results[i].Set == set {
				files[results[i].File] = true
			}
		}
		for _, system := range systems {
			if c := joined(results, set, system, len(files)); len(c.points) > 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

func joined(results []Result, set, system string, files int) curve {
	c := curve{set: set, system: system}
	for i := range results {
		r := &results[i]
		if r.Set != set || r.System != system || r.Error != "" {
			continue
		}
		at := slices.IndexFunc(c.points, func(p point) bool { return p.option == r.Option && p.value == r.Value })
		if at < 0 {
			at = len(c.points)
			c.points = append(c.points, point{option: r.Option, value: r.Value})
		}
		p := &c.points[at]
		p.counts.Add(r.Counts)
		p.seconds += r.Seconds
		p.memory = math.Max(p.memory, r.BytesPerPoint)
		p.files++
	}
	c.points = slices.DeleteFunc(c.points, func(p point) bool { return p.files < files })
	for i := range c.points {
		p := &c.points[i]
		p.scores, p.segments = p.counts.Scores(), float64(p.counts.Segments)
	}
	slices.SortStableFunc(c.points, func(a, b point) int { return cmp.Compare(a.segments, b.segments) })
	return c
}

// advantage is the ratio of segments that the best rival and a system need for the same OOA, as in the
// paper.
type advantage struct {
	times float64 // NaN if the curve never reaches it
	least bool    // a lower bound: the smallest number of segments has the OOA
	rival string
	ooa   float64 // of the rival
}

// ratio compares a system with its rivals at a mean size of size points.
func ratio(all []curve, set, system string, size float64) advantage {
	a := advantage{times: math.NaN(), ooa: math.Inf(-1)}
	var own *curve
	var segments float64
	for i := range all {
		c := &all[i]
		switch {
		case c.set != set:
		case c.system == system:
			own = c
		default:
			if p := c.at(bySize, size); p != nil && float64(p.scores.OOA) > a.ooa {
				a.ooa, a.rival, segments = float64(p.scores.OOA), c.system, p.segments
			}
		}
	}
	if own == nil || a.rival == "" {
		return a
	}
	sized := slices.DeleteFunc(slices.Clone(own.points), func(p point) bool { return p.option != bySize })
	if len(sized) > 0 {
		n := reaching(sized, a.ooa)
		a.times, a.least = segments/n, n == sized[0].segments
	}
	return a
}

// reaching returns the number of segments at which a curve first reaches an
// OOA, between two of its points by the logarithm of their counts; NaN if it
// never does.
func reaching(points []point, ooa float64) float64 {
	for i, p := range points {
		if float64(p.scores.OOA) < ooa {
			continue
		}
		if i == 0 {
			return p.segments
		}
		q := points[i-1]
		share := (ooa - float64(q.scores.OOA)) / float64(p.scores.OOA-q.scores.OOA)
		return math.Exp(math.Log(q.segments) + share*(math.Log(p.segments)-math.Log(q.segments)))
	}
	return math.NaN()
}

// Options of a trial, which determine the meaning of its value.
const (
	byStrength = "regularization" // λ̃
	bySize     = "target_size"    // mean points of a superpoint
	byPieces   = "pieces"         // mean points of a connected component of a superpoint
)

// Methods are compared twice: at equal numbers of superpoints, and at equal numbers
// of their connected components on the graph that all are measured on, because
// superpoints that fall apart there have more borders than their number says. A
// method is asked for a mean size, and for others until its components are as many
// as wanted, to within closeEnough or mostTries runs.
const (
	closeEnough = 0.02 // of the logarithm of the number of pieces
	mostTries   = 5
)

// attempt is one run at a mean size.
type attempt struct {
	segmentation *filter.Segmentation
	filter       *filter.Filter // nil for segments of the file
	report       metrics.Report
	miss         float64 // ln(pieces / wanted pieces)
}

// searchPieces returns the attempt that was asked for superpoints of size points on
// average, and the one whose connected components come nearest to that. try runs the
// method with a wanted mean size of its superpoints.
func searchPieces(size float64, points int, try func(target float64) (*attempt, error)) (first, best *attempt,
	err error) {
	asked, slope := math.Log(size), 1.0 // more points a superpoint, fewer pieces: about in proportion
	var was, wasMiss float64
	for i := range mostTries {
		a, err := try(math.Exp(asked))
		if err != nil {
			if best != nil { // a size that cannot be asked for
				return first, best, nil
			}
			return nil, nil, err
		}
		if first == nil {
			first = a
		}
		a.miss = math.Log(float64(a.report.Counts.Pieces) * size / float64(points))
		if best == nil || math.Abs(a.miss) < math.Abs(best.miss) {
			best = a
		}
		if math.Abs(a.miss) < closeEnough {
			break
		}
		if i > 0 && asked != was { // secant, kept between a third and three times the proportional step
			slope = math.Min(3, math.Max(1./3, -(asked-was)/(a.miss-wasMiss)))
			if math.IsNaN(slope) || a.miss == wasMiss {
				slope = 1
			}
		}
		was, wasMiss = asked, a.miss
		asked = math.Max(0, asked+slope*a.miss)
		if asked == was {
			break
		}
	}
	return first, best, nil
}
