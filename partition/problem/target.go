// SPDX-License-Identifier: BSD-3-Clause

package problem

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

const (
	targetTolerance = .05 // of the wanted mean size
	targetSolves    = 16  // at most
	targetLeast     = 1e-5
	targetMost      = 1e5
	targetPower     = .6 // mean size grows about as this power of λ̃: a first guess only
	targetMinSize   = 10 // wanted mean size per smallest size
)

// Found is a partition with a wanted mean size.
type Found struct {
	*Result
	Regularization float64 // λ̃ of the partition
	MinSize        int     // smallest size used
	Mean           float64 // MeanSize of the partition, for the target size
	Reached        bool    // Mean is within 5 % of the target size
	Solves         int     // partitions computed
}

// SearchTarget searches for the regularization λ̃ that gives
// components of targetSize vertices on average, by bisection and secants in log λ̃, and returns
// the partition whose mean size is nearest. p.Lambda is not used. If p.MinSize is 0, the
// smallest size is a tenth of targetSize. For border see MeanSize. It returns an error if targetSize is
// less than 1 or not finite.
//
// Not every size can be reached: components cannot be larger than the connected components
// of the graph, and adjacent vertices of equal values are not separated at any λ̃.
func SearchTarget(run parallel.Run, solver Solver, p *Problem, targetSize float64,
	border []bool) (*Found, error) {
	if !(targetSize >= 1) || math.IsInf(targetSize, 1) {
		return nil, fmt.Errorf("partition: target mean size of %g vertices; it must be at least 1 and finite",
			targetSize)
	}
	q := *p
	if q.MinSize == 0 {
		q.MinSize = int(math.Max(1, math.Round(targetSize/targetMinSize)))
	}
	progress := run.Progress
	run = run.Quiet()
	s := bracket{logSize: arithmetic.Log(targetSize), low: arithmetic.Log(targetLeast),
		high: arithmetic.Log(targetMost)}
	large := q.inLarge(targetSize)
	var best *Found
	for i := 1; i <= targetSolves; i++ {
		q.Lambda = Lambda(q.Graph, q.Isolated, arithmetic.Exp(s.x))
		r, err := solver.Solve(run, &q)
		if err != nil {
			return nil, err
		}
		f := &Found{Result: r, Regularization: arithmetic.Exp(s.x), MinSize: q.MinSize}
		f.Mean = r.meanSize(large, border)
		f.Reached = math.Abs(f.Mean-targetSize) <= targetTolerance*targetSize
		if best == nil || math.Abs(f.Mean-targetSize) < math.Abs(best.Mean-targetSize) {
			best = f
		}
		best.Solves = i
		progress(float64(i) / targetSolves)
		if f.Reached || r.Count == 0 || !s.next(arithmetic.Log(f.Mean)) {
			break
		}
	}
	return best, nil
}

// MeanSize returns the mean size of the components of a partition that is to have components of
// targetSize vertices on average. Components that cannot become so large are ignored: they lie in
// connected components of the graph with fewer than targetSize vertices. If they counted, a few such
// clumps, which scans of trees have, would have to be outweighed by much larger components elsewhere.
// Isolated vertices, and components of isolated vertices only, are ignored as well. If no other
// components are left, all count. If the graph is a sample, border has flags of the vertices at its
// border, else it is nil: components with such a vertex are counted half, because on average half of
// their points are outside.
func (p *Problem) MeanSize(r *Result, targetSize float64, border []bool) float64 {
	return r.meanSize(p.inLarge(targetSize), border)
}

// inLarge returns flags of the vertices that count in MeanSize.
func (p *Problem) inLarge(targetSize float64) []bool {
	label, count := neighbor.Components(p.Graph)
	vertices := make([]uint32, count)
	for _, c := range label {
		vertices[c]++
	}
	isolated := withoutIsolated(p.Isolated)
	all := make([]bool, len(label))
	large := make([]bool, len(label))
	for u, c := range label {
		all[u] = isolated == nil || !isolated[u]
		large[u] = all[u] && float64(vertices[c]) >= targetSize
	}
	if slices.Contains(large, true) {
		return large
	}
	return all
}

// meanSize returns the mean size of the components with such vertices, see MeanSize.
func (r *Result) meanSize(counts, border []bool) float64 {
	vertices := 0
	count := 0.
	seen := make([]uint8, r.Count)
	for u, c := range r.Component {
		if !counts[u] {
			continue
		}
		vertices++
		if seen[c] == 0 {
			count, seen[c] = count+1, 1
		}
		if seen[c] == 1 && border != nil && border[u] {
			count, seen[c] = count-.5, 2
		}
	}
	if vertices == 0 {
		return 0
	}
	return float64(vertices) / count
}

// withoutIsolated returns the flags of isolated vertices, or nil if none is, or all are.
func withoutIsolated(isolated []bool) []bool {
	if slices.Contains(isolated, true) && slices.Contains(isolated, false) {
		return isolated
	}
	return nil
}

// bracket is the state of the search for x = log λ̃ with y(x) = logSize, where
// y = log mean size does not fall with x, as a rule.
type bracket struct {
	logSize, x       float64
	low, high        float64
	yLow, yHigh      float64
	hasLow, hasHigh  bool
	missLow, missTop int // number of consecutive steps in which the low, the high end did not change
}

// next narrows the bracket by y at x and sets the next x. It returns false if the
// bracket is too small to continue.
func (s *bracket) next(y float64) bool {
	if y < s.logSize {
		s.low = s.x
		s.yLow = y
		s.hasLow = true
		s.missTop, s.missLow = s.missTop+1, 0
	} else {
		s.high = s.x
		s.yHigh = y
		s.hasHigh = true
		s.missLow, s.missTop = s.missLow+1, 0
	}
	if s.high-s.low < 1e-3 {
		return false
	}
	last := s.x
	switch {
	case !s.hasLow || !s.hasHigh: // extrapolates by the power law, with an excess of 30 %
		s.x += 1.3 * (s.logSize - y) / targetPower
		s.x = math.Max(s.low, math.Min(s.high, s.x))
		return math.Abs(s.x-last) > 1e-6
	case s.missLow > 1 || s.missTop > 1 || s.yHigh-s.yLow < 1e-9:
		s.x = (s.low + s.high) / 2
	default:
		part := (s.logSize - s.yLow) / (s.yHigh - s.yLow)
		s.x = s.low + math.Max(.05, math.Min(.95, part))*(s.high-s.low)
	}
	return true
}

// Lambda returns λ = λ̃/(4c) for the regularization λ̃,
// with c = |E|/|V| the average connectivity of this graph (paper, appendix,
// "Regularization strength"). Isolated vertices (nil: none) and their edges are not
// counted, unless there are no others. For a graph without edges it is λ̃/4.
//
// The paper lists the k edges that leave each vertex, so its c is k, and the cost of a
// mutual pair of neighbours is counted twice. Here a pair is listed once, c is smaller by
// the mean multiplicity k|V|/|E|, and λ is larger by the same factor. In both the cost of
// cutting every edge at contrast 1 is λ̃|V|/4, so λ̃ has the same meaning.
//
// The authors' code minimises ½Σ‖f−y‖² + reg/(4k) Σ exp(½ − ½d²)[·] over the
// directed list: twice that is the paper's form with σ = 2 and
// λ = 2·e^½·reg/(4k), so its reg is λ̃ = 2√e·reg ≈ 3.3·reg here.
func Lambda(g *neighbor.Graph, isolated []bool, regularization float64) float64 {
	vertices := g.Vertices()
	edges := g.Edges()
	if isolated = withoutIsolated(isolated); isolated != nil {
		vertices, edges = 0, 0
		for u, is := range isolated {
			if is {
				continue
			}
			vertices++
			for _, v := range g.Of(u) {
				if !isolated[v] {
					edges++
				}
			}
		}
	}
	if edges == 0 {
		return regularization / 4
	}
	return regularization * float64(vertices) / (4 * float64(edges))
}

// MinSize returns the smallest component size at the regularization λ̃,
// given its value n at λ̃ = 1: max(½n, n + ½n·log λ̃), rounded up (paper, appendix,
// "Smallest superpoint"). The logarithm to base 10 and rounding up reproduce the
// paper's example, 33 and 70 for n = 50 at λ̃ = 0.2 and 6.
func MinSize(n int, regularization float64) int {
	f := float64(n)
	return int(math.Ceil(math.Max(f/2, f+f/2*(arithmetic.Log(regularization)/math.Ln10))))
}
