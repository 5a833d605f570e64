// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
)

// callbacks are a host's callbacks, as Go functions that must run on the
// host's thread. Any but host may be nil.
type callbacks struct {
	host     uintptr // address of the sp_host, for sp_cancel; 0: none
	log      func(level int, text string)
	progress func(step string, fraction float64)
	read     func(path string, dimensions []string) (*command.Columns, error)
	convert  func(from, to string, arguments []string) error
	release  func(column string) // of the cloud, which is not read any more
	describe func(text string) georef.Reference
	same     func(a, b string) bool

	writeRaster func(path string, head command.Raster, values []float32) error
	readRaster  func(path string, first int, values []float32) (command.Raster, error)
}

// pump passes calls from the goroutines of a job to the host's thread. The host may be called on the thread
// alone on which it called the library.
type pump struct {
	host     callbacks
	ctx      context.Context
	out      io.Writer     // receives a command's result
	calls    chan func()   // run on the host's thread, in order
	done     chan struct{} // closed when the job has returned
	reported atomic.Value  // last progress sent: a report
}

// waiting is the number of calls that may wait for the host's thread.
const waiting = 16

// run runs a job on another goroutine and, on this one, the calls that it sends, until it returns. A panic of
// the job is returned as an error.
func run(ctx context.Context, host callbacks, job func(p *pump) error) error {
	ctx, end := trackCall(ctx, host.host)
	defer end()
	p := &pump{
		host:  host,
		ctx:   ctx,
		out:   os.Stdout,
		calls: make(chan func(), waiting),
		done:  make(chan struct{}),
	}
	var err error // of the job, set before done is closed
	go func() {
		defer close(p.done)
		err = recovered(func() error { return job(p) })
	}()
	p.serve()
	return interrupted(ctx, err)
}

// serve runs calls until the job has returned, and then those that it sent before.
func (p *pump) serve() {
	for {
		select {
		case call := <-p.calls:
			call()
		case <-p.done:
			p.drain()
			return
		}
	}
}

// drain runs the calls that wait.
func (p *pump) drain() {
	for {
		select {
		case call := <-p.calls:
			call()
		default:
			return
		}
	}
}

// send adds a call to those that wait, once there is room for it. After the end of the job, no call runs.
func (p *pump) send(call func()) {
	select {
	case p.calls <- call:
	case <-p.done:
	}
}

// offer adds a call to those that wait if there is room for it.
func (p *pump) offer(call func()) {
	select {
	case p.calls <- call:
	default:
	}
}

// answer is what a call to the host returned.
type answer[T any] struct {
	value T
	err   error
}

// ask runs a call on the host's thread and returns what it returned, or its panic as an error. After the end
// of the job it fails, with the name of what the call is about.
func ask[T any](p *pump, about string, call func() (T, error)) (T, error) {
	answers := make(chan answer[T], 1) // the call does not wait for a caller that has left
	p.send(func() {
		var a answer[T]
		a.err = recovered(func() (err error) {
			a.value, err = call()
			return err
		})
		answers <- a
	})
	select {
	case a := <-answers:
		return a.value, a.err
	case <-p.done:
		var none T
		return none, fmt.Errorf("%s: the command has ended", about)
	}
}

// request runs a call without a value as ask does.
func (p *pump) request(about string, call func() error) error {
	_, err := ask(p, about, func() (struct{}, error) { return struct{}{}, call() })
	return err
}
