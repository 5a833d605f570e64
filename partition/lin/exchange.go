package lin

import (
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// exchange gives points at borders to the representative, among those of their
// neighbours, that is nearest, first come first served, until none gains. Every
// exchange lowers the energy, so it ends. label holds each point's
// representative and is changed in place.
func exchange(run parallel.Run, m *metric, l *neighbor.Lists, k int, label []uint32) error {
	n := len(label)
	run = run.Quiet()
	cost := make([]float32, n)
	err := run.For(n, 4096, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cost[i] = m.between(uint32(i), label[i])
		}
	})
	if err != nil {
		return err
	}
	q := newQueue(n)
	for i := range label {
		for _, j := range l.Of(i)[:k] {
			if label[i] != label[j] {
				q.push(uint32(i))
				q.push(j)
			}
		}
	}
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
					label[i], cost[i] = b, d
				}
			}
		}
		if label[i] == own {
			continue
		}
		for _, j := range around {
			if label[j] != label[i] {
				q.push(j)
			}
		}
	}
	return nil
}

// queue is a first-in first-out queue that holds each point at most once.
type queue struct {
	ring         []uint32
	inside       []bool
	first        int
	next, length int
}

func newQueue(n int) *queue { return &queue{ring: make([]uint32, n), inside: make([]bool, n)} }

func (q *queue) push(i uint32) {
	if q.inside[i] {
		return
	}
	q.inside[i] = true
	q.ring[q.next] = i
	if q.next++; q.next == len(q.ring) {
		q.next = 0
	}
	q.length++
}

func (q *queue) pop() uint32 {
	i := q.ring[q.first]
	if q.first++; q.first == len(q.ring) {
		q.first = 0
	}
	q.inside[i] = false
	q.length--
	return i
}
