package filter

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// TestMemoryPerPoint watches what the runtime holds from the system, beside the
// view, while a view of 200,000 points is segmented: 300 bytes a point are the
// aim.
func TestMemoryPerPoint(t *testing.T) {
	view, _ := roof(200_000, 12)
	view.Dimensions = nil
	for _, c := range []struct {
		options string
		most    float64 // bytes a point beside X, Y and Z
	}{
		{`{"model":"geometric"}`, 300},
		{`{"model":"geometric","target_size":100}`, 400},
		{`{"method":"vccs"}`, 350},
	} {
		f := mustFilter(t, c.options)
		runtime.GC()
		before, most := heap(), uint64(0)
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for {
				select {
				case <-stop:
					return
				case <-time.After(2 * time.Millisecond):
					most = max(most, heap())
				}
			}
		}()
		mustSegment(t, f, view)
		close(stop)
		<-done
		got := float64(most-min(most, before)) / float64(view.Len())
		t.Logf("%s: %.0f bytes a point", c.options, got)
		if got > c.most || got < 50 {
			t.Errorf("%s: %.0f bytes a point, want at most %.0f", c.options, got, c.most)
		}
	}
}

// heap returns the bytes of objects, dead ones included, and of spans between.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}
