// SPDX-License-Identifier: BSD-3-Clause

package parallel

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// pool has the goroutines that help the callers of loops. They are started by the first loops that need them,
// and stay.
//
// A view has some 700 loops, most of less than a millisecond and most less than 50 µs after the one before. A
// thread that sleeps wakes after 50 to 100 µs, too late for these. So a helper without work watches for the
// next loop before it sleeps (spin).
//
// A loop does not depend on helpers: its caller runs all blocks that no helper takes. So a loop within a loop
// ends even if all helpers are busy.
type pool struct {
	mutex   sync.Mutex
	wake    sync.Cond    // a loop was opened
	opened  atomic.Int64 // number of loops that were
	loops   []*loop      // that are open, the newest last
	started int          // helpers
	free    int          // helpers that have no loop
	asleep  int          // of these
}

var helpers = newPool()

func newPool() *pool {
	p := new(pool)
	p.wake.L = &p.mutex
	return p
}

// open offers a loop to helpers. It starts some if too few are free, in all at most one for each CPU or, if
// this is more, as many as the loop can use.
func (p *pool) open(l *loop) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	wanted := l.workers - 1
	p.loops = append(p.loops, l)
	p.opened.Add(1)
	most := max(wanted, runtime.GOMAXPROCS(0))
	for p.free < wanted && p.started < most {
		p.started++
		p.free++
		go p.help()
	}
	for range min(wanted, p.asleep) {
		p.wake.Signal()
	}
}

// close ends the offer of a loop.
func (p *pool) close(l *loop) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	at := slices.Index(p.loops, l)
	p.loops = slices.Delete(p.loops, at, at+1)
}

// help runs blocks of loops, for ever.
func (p *pool) help() {
	for {
		l, worker := p.join()
		l.work(worker)
		p.leave()
	}
}

// join waits for a loop that needs a worker, and returns the loop and the worker's number.
func (p *pool) join() (l *loop, worker int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for {
		if l := p.wanting(); l != nil {
			worker := l.joined
			l.joined++
			p.free--
			return l, worker
		}
		if !p.watch() {
			p.asleep++
			p.wake.Wait()
			p.asleep--
		}
	}
}

func (p *pool) leave() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.free++
}

// wanting returns the newest loop that has blocks and room for a worker, or nil. Of a loop within a loop, the
// inner one is the newer, and the outer one waits for it.
func (p *pool) wanting() *loop {
	for _, l := range slices.Backward(p.loops) {
		room := l.joined < l.workers
		left := l.next.Load() < int64(l.blocks)
		if room && left {
			return l
		}
	}
	return nil
}

// watch unlocks the pool for a while and reports whether a loop was opened in that time.
func (p *pool) watch() bool {
	seen := p.opened.Load()
	changed := func() bool { return p.opened.Load() != seen }
	p.mutex.Unlock()
	spin(changed)
	p.mutex.Lock()
	return changed()
}

const (
	// spinTime is how long a goroutine spins. A thread wakes in about this time, so spinning in vain costs
	// no more than sleeping would have.
	spinTime = 50 * time.Microsecond
	// turnTime is the part of spinTime after which other goroutines have a turn.
	turnTime = 2 * time.Microsecond
	// loadInterval is the time for which the load of the machine is assumed to be constant.
	loadInterval = 5 * time.Millisecond
)

// spin returns when a condition holds or after spinTime. Where a thread waits for a core, it returns at once.
func spin(until func() bool) {
	if until() || !machine.spare() {
		return
	}
	for start := time.Now(); time.Since(start) < spinTime; runtime.Gosched() {
		for turn := time.Now(); time.Since(turn) < turnTime; {
			if until() {
				return
			}
		}
	}
}

// load is the load of the machine when it was last read.
type load struct {
	read atomic.Int64 // Unix time, nanoseconds
	full atomic.Bool
}

var machine load

// spare reports whether all threads that can run have a core. It is false where the system does not
// provide the load.
func (m *load) spare() bool {
	now, read := time.Now().UnixNano(), m.read.Load()
	old := now-read > int64(loadInterval)
	if old && m.read.CompareAndSwap(read, now) {
		runnable, ok := runnableThreads()
		m.full.Store(!ok || runnable > runtime.NumCPU())
	}
	return !m.full.Load()
}

// runnableThreads returns the number of threads of the machine that run or wait for a core. On Linux it is in
// the fourth field of /proc/loadavg, before a slash (proc_loadavg(5)).
func runnableThreads() (n int, ok bool) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(text)
	if len(fields) < 4 {
		return 0, false
	}
	running, _, _ := bytes.Cut(fields[3], []byte("/"))
	n, err = strconv.Atoi(string(running))
	return n, err == nil
}
