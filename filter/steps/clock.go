// SPDX-License-Identifier: BSD-3-Clause

package steps

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"superpoint/filter/memory"
	"superpoint/partition/base/parallel"
)

// Clock runs the steps of one view: it reports their progress and adds up their seconds.
type Clock struct {
	Run     Run
	Threads int
	collect bool // collect the arrays of the step before
	Seconds map[string]float64
}

// NewClock returns the clock of a view of points points.
func NewClock(run Run, threads, points int) *Clock {
	return &Clock{Run: run, Threads: threads, collect: points >= memory.Large, Seconds: map[string]float64{}}
}

// Do runs a step and reports its progress.
func Do[T any](c *Clock, name string, body func(run parallel.Run) (T, error)) (T, error) {
	run := c.Run.Parallel(name, c.Threads)
	run.Progress(0)
	result, err := Timed(c, name, func() (T, error) {
		first, last := name == Neighbors, name == Output
		if c.collect && !first && !last { // nothing large is released before the first step and in the last
			runtime.GC()
		}
		return body(run)
	})
	if err == nil {
		run.Progress(1)
	}
	return result, err
}

// Timed adds the time of body to a step.
func Timed[T any](c *Clock, name string, body func() (T, error)) (T, error) {
	start := time.Now()
	result, err := caught(body)
	c.Seconds[name] += time.Since(start).Seconds()
	return result, reportBug(err)
}

// caught runs a body whose loops may end it, see parallel.Catch.
func caught[T any](body func() (T, error)) (result T, err error) {
	defer parallel.Catch(&err)
	return body()
}

// reportBug adds a remedy to an error that is a panic of a goroutine.
func reportBug(err error) error {
	var broken *parallel.PanicError
	if errors.As(err, &broken) {
		return fmt.Errorf("%w; this is a bug, please report it with the options and the file", err)
	}
	return err
}
