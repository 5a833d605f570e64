// SPDX-License-Identifier: BSD-3-Clause

package memory

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// The heap of views grows up to what they need together, and as before after the last.
func TestReserve(t *testing.T) {
	percent, limit := settings()
	first := must.Get(Reserve("the view", Large, 1000))(t)
	_, one := settings()
	second := must.Get(Reserve("the view", Large, 2000))(t)
	off, both := settings()
	must.Equal(t, off, -1, "off")
	must.Hold(t, one < limit, "one is %v, want less than %v", one, limit)
	must.Equal(t, both-one, 2000*Large, "both-one")
	first()
	if off, left := settings(); off != -1 || both-left != 1000*Large {
		t.Errorf("garbage collections at %d %%, %d MB less", off, (both-left)>>20)
	}
	second()
	p, l := settings()
	must.Equal(t, p, percent, "percent of garbage collections")
	must.Equal(t, l, limit, "limit of memory")
	must.Get(Reserve("the view", Large-1, 1000))(t)
	p, _ = settings()
	must.Hold(t, p == percent, "a small view: garbage collections at %d %%", p)
	must.Fail(Reserve("the view", Large, 1e13))(t, "the view")
	p, _ = settings()
	must.Hold(t, p == percent, "after an error: garbage collections at %d %%", p)
}

// TestReservationsWaitForOneAnother: the settings of the collector belong to the process, so one view at a
// time changes them.
func TestReservationsWaitForOneAnother(t *testing.T) {
	ended := make(chan struct{})
	reserved.Lock() // as another view has it
	go func() {
		defer close(ended)
		done, err := Reserve("the view", Large, 1000)
		if err == nil {
			done()
		}
	}()
	for !waitsForLock("memory.reserve(") {
		select {
		case <-ended:
			t.Fatal("a view has reserved memory while another one did")
		default:
			runtime.Gosched()
		}
	}
	reserved.Unlock()
	<-ended
}

// waitsForLock reports whether a goroutine waits for a mutex in a function.
func waitsForLock(function string) bool {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		locks := strings.Contains(stack, "sync.(*Mutex).Lock(")
		if locks && strings.Contains(stack, function) {
			return true
		}
	}
	return false
}

func settings() (percent int, limit int64) {
	percent = debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent, debug.SetMemoryLimit(-1)
}
