package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"superpoint/partition/parallel"
)

// A sum over blocks, on two goroutines.
func ExampleRun_For() {
	var sum atomic.Int64
	err := parallel.Run{Threads: 2}.For(1000, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum.Add(int64(i))
		}
	})
	fmt.Println(sum.Load(), err)
	// Output: 499500 <nil>
}

// A panic in a block, and a context that is done, come back as errors.
func ExampleRun_For_errors() {
	err := parallel.Run{}.For(3, 1, func(lo, _ int) { panic(fmt.Sprint("block ", lo)) })
	var p *parallel.PanicError
	fmt.Println(errors.As(err, &p))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(parallel.Run{Context: ctx}.For(3, 1, func(_, _ int) {}))
	// Output:
	// true
	// context canceled
}
