// SPDX-License-Identifier: BSD-3-Clause

package lin

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// checkEvery is the number of steps between checks of the context.
const checkEvery = 1 << 16

// fusion merges representatives until the wanted number is left.
type fusion struct {
	run    parallel.Run
	metric *metric
	lists  *neighbor.Lists
	k      int // neighbours used
	want   int

	parent arrays.Forest // towards the representative; a representative is its own
	size   []uint32      // points of each representative
	left   int           // number of representatives

	// Adjacent representatives, some absorbed since, lie in
	// arena[begin[i]:begin[i]+length[i]]. New lists are appended; the arena is
	// compacted after every round.
	begin, length []uint32
	arena, spare  []uint32

	visited []uint32 // number of the last visit that met each representative
	visit   uint32
	queue   []uint32
}

// fuse runs rounds with λ doubled from one to the next. It ends early if no two
// representatives are adjacent, or λ exceeds float32.
func (f *fusion) fuse() error {
	n := len(f.metric.at)
	if uint64(n)*uint64(f.k) > math.MaxUint32/2 {
		return fmt.Errorf(
			"lin: %d points with %d neighbours each are too many; use fewer neighbours or split the cloud", n,
			f.k)
	}
	f.prepare(n)
	err := f.rounds(n)
	for i := range f.parent {
		f.parent[i] = f.parent.Root(uint32(i))
	}
	return err
}

// prepare makes every point its own representative, with its neighbors in the arena.
func (f *fusion) prepare(n int) {
	f.parent = arrays.NewForest(n)
	f.size = slices.Repeat([]uint32{1}, n)
	f.visited = make([]uint32, n)
	f.begin = make([]uint32, n)
	f.length = slices.Repeat([]uint32{uint32(f.k)}, n)
	f.arena = make([]uint32, 0, n*f.k*3/2)
	for i := range n {
		f.begin[i] = uint32(len(f.arena))
		f.arena = append(f.arena, f.lists.Of(i)[:f.k]...)
	}
	f.left = n
}

// rounds runs rounds until there are as many representatives as wanted, or none can be joined.
func (f *fusion) rounds(n int) error {
	lambda, err := f.start()
	if err != nil {
		return err
	}
	active := slices.Clone(f.parent)
	for f.left > f.want {
		if err := f.round(active, lambda); err != nil {
			return err
		}
		if !(lambda <= math.MaxFloat32) { // the remaining dissimilarities are infinite
			return nil
		}
		active = slices.DeleteFunc(active, func(i uint32) bool { return f.parent[i] != i })
		f.compact(active)
		if len(f.arena) == 0 {
			return nil
		}
		f.progress(n)
		lambda *= 2
	}
	return nil
}

// progress reports the progress of n points: the mean size of representatives grows about as λ, which doubles
// in each round.
func (f *fusion) progress(n int) {
	all := math.Log(float64(n) / float64(f.want))
	done := math.Log(float64(n) / float64(f.left))
	f.run.Progress(min(1, done/all))
}

// start returns the first λ: the median over points of the least dissimilarity
// to a neighbour, and at least the spacing of float32 at 1, so that it doubles.
func (f *fusion) start() (float32, error) {
	least := make([]float32, len(f.metric.at))
	err := f.run.Quiet().ForEach(len(least), 4096, func(i int) {
		least[i] = math.MaxFloat32
		for _, j := range f.lists.Of(i)[:f.k] {
			least[i] = min(least[i], f.metric.between(uint32(i), j))
		}
	})
	return max(arrays.Median(least), 0x1p-23), err
}

// round lets every representative absorb, in point order.
func (f *fusion) round(active []uint32, lambda float32) error {
	for step, i := range active {
		if step%checkEvery == 0 && f.run.Err() != nil {
			return f.run.Err()
		}
		if f.left == f.want {
			return nil
		}
		if f.parent[i] == i && f.length[i] > 0 {
			f.absorb(i, lambda)
		}
	}
	return nil
}

// absorb merges adjacent representatives of a cost below λ with i, and then those adjacent to
// them, in breadth-first order. The others become i's adjacent representatives.
func (f *fusion) absorb(i uint32, lambda float32) {
	f.visit++
	f.visited[i] = f.visit
	f.queue = f.queue[:0]
	f.reach(i)
	begin := uint32(len(f.arena))
	for at := 0; at < len(f.queue) && f.left > f.want; at++ {
		j := f.queue[at]
		if float32(f.size[j])*f.metric.between(i, j) >= lambda {
			f.arena = append(f.arena, j)
			continue
		}
		f.parent[j] = i
		f.size[i] += f.size[j]
		f.left--
		f.reach(j)
	}
	f.begin[i], f.length[i] = begin, uint32(len(f.arena))-begin
}

// reach queues the representatives adjacent to j that this visit has not queued yet.
func (f *fusion) reach(j uint32) {
	for _, v := range f.arena[f.begin[j] : f.begin[j]+f.length[j]] {
		if v = f.parent.Root(v); f.visited[v] != f.visit {
			f.visited[v] = f.visit
			f.queue = append(f.queue, v)
		}
	}
}

// compact keeps the lists of representatives only.
func (f *fusion) compact(active []uint32) {
	out := f.spare[:0]
	for _, i := range active {
		list := f.arena[f.begin[i] : f.begin[i]+f.length[i]]
		f.begin[i] = uint32(len(out))
		out = append(out, list...)
	}
	f.arena, f.spare = out, f.arena
}

// exchange assigns points at borders to the most similar of their neighbours'
// representatives, in the order of a queue, until no point changes. Every exchange lowers
// the energy, so it terminates. label holds each point's representative and is changed.
func exchange(run parallel.Run, m *metric, l *neighbor.Lists, k int, label []uint32) error {
	n := len(label)
	run = run.Quiet()
	cost := make([]float32, n)
	err := run.ForEach(n, 4096, func(i int) { cost[i] = m.between(uint32(i), label[i]) })
	if err != nil {
		return err
	}
	q := queueOfBorders(l, k, label)
	for step := 0; q.length > 0; step++ {
		if step%checkEvery == 0 && run.Err() != nil {
			return run.Err()
		}
		i := q.pop()
		around := l.Of(int(i))[:k]
		own := label[i]
		for _, j := range around {
			if b := label[j]; b != label[i] {
				if d := m.between(i, b); d < cost[i] {
					label[i] = b
					cost[i] = d
				}
			}
		}
		if label[i] != own {
			q.pushOthers(around, label, label[i])
		}
	}
	return nil
}

// queueOfBorders returns the points that have another label than one of their k neighbors, and these.
func queueOfBorders(l *neighbor.Lists, k int, label []uint32) *queue {
	q := newQueue(len(label))
	for i := range label {
		for _, j := range l.Of(i)[:k] {
			if label[i] != label[j] {
				q.push(uint32(i))
				q.push(j)
			}
		}
	}
	return q
}

// pushOthers appends the points whose label is not own.
func (q *queue) pushOthers(points, label []uint32, own uint32) {
	for _, j := range points {
		if label[j] != own {
			q.push(j)
		}
	}
}

// queue is a first-in first-out queue that holds each point at most once.
type queue struct {
	ring          []uint32
	inside        []bool
	first, length int
}

func newQueue(n int) *queue { return &queue{ring: make([]uint32, n), inside: make([]bool, n)} }

func (q *queue) push(i uint32) {
	if !q.inside[i] {
		q.inside[i] = true
		q.ring[(q.first+q.length)%len(q.ring)] = i
		q.length++
	}
}

func (q *queue) pop() uint32 {
	i := q.ring[q.first]
	q.inside[i] = false
	q.first, q.length = (q.first+1)%len(q.ring), q.length-1
	return i
}
