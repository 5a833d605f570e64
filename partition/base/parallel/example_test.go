// SPDX-License-Identifier: BSD-3-Clause

package parallel_test

import (
	"fmt"

	"superpoint/partition/base/parallel"
)

// Blocks of a loop run on several goroutines. Each writes to its own range only, so that the result does not
// depend on the number of threads.
func ExampleRun_For() {
	squares := make([]int, 10)
	err := parallel.Run{Threads: 4}.For(len(squares), 3, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			squares[i] = i * i
		}
	})
	fmt.Println(squares, err)
	// Output: [0 1 4 9 16 25 36 49 64 81] <nil>
}

// Map returns a value for each block, in the order of the blocks: here the sums of three numbers.
func ExampleMap() {
	numbers := []int{1, 2, 3, 10, 20, 30, 100}
	sums := parallel.Map(parallel.Run{Threads: 2}, len(numbers), 3, func(lo, hi int) (sum int) {
		for _, v := range numbers[lo:hi] {
			sum += v
		}
		return sum
	})
	fmt.Println(sums)
	// Output: [6 60 100]
}

// A panic in a block is an error of the loop. It does not end the program that hosts the library.
func ExamplePanicError() {
	err := parallel.Run{}.ForEach(5, 1, func(i int) {
		if i == 3 {
			panic("broken invariant")
		}
	})
	fmt.Println(err)
	// Output: internal error: broken invariant
}
