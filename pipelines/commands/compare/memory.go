package compare

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

const heapObjects = "/memory/classes/heap/objects:bytes"

// watchMemory begins to sample the heap every few milliseconds. The returned
// function ends it and gives the largest growth, in bytes.
func watchMemory() (peak func() uint64) {
	runtime.GC()
	read := func() uint64 {
		sample := []metrics.Sample{{Name: heapObjects}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before := read()
	most := before
	stop := make(chan struct{})
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		tick := time.NewTicker(3 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				most = max(most, read())
			}
		}
	}()
	return func() uint64 {
		close(stop)
		done.Wait()
		return max(most, read()) - before
	}
}
