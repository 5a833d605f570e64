// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"sync/atomic"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
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

// pump carries calls from working goroutines to the host's thread.
type pump struct {
	host     callbacks
	ctx      context.Context
	out      io.Writer     // takes a command's result
	calls    chan func()   // run on the host's thread, in order
	done     chan struct{} // closed when the job has returned
	reported atomic.Value  // last progress sent: a report
}

// run runs job on another goroutine and makes its callbacks on this one until it
// returns. A panic of job is returned as an error.
func run(ctx context.Context, host callbacks, job func(p *pump) error) error {
	ctx, end := trackCall(ctx, host.host)
	defer end()
	p := &pump{host: host, ctx: ctx, out: os.Stdout, calls: make(chan func(), 16), done: make(chan struct{})}
	var err error
	go func() {
		defer close(p.done)
		err = recovered(func() error { return job(p) })
	}()
	for {
		select {
		case call := <-p.calls:
			call()
		case <-p.done:
			for { // calls sent before the end still reach the host
				select {
				case call := <-p.calls:
					call()
				default:
					return interrupted(ctx, err)
				}
			}
		}
	}
}

// interrupted replaces the error of a call that a signal or sp_cancel ended.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, context.Canceled) {
		return err
	}
	var by ended
	if errors.As(context.Cause(ctx), &by) {
		return by
	}
	return errInterrupted
}

// ended is the error of a call that a signal or sp_cancel ended. It is a context.Canceled.
type ended string

func (e ended) Error() string        { return string(e) }
func (e ended) Is(target error) bool { return target == context.Canceled }

// SuperpointKernel.cpp has the exit codes of these.
const (
	errInterrupted ended = "interrupted"
	errTerminated  ended = "terminated"
	errHungUp      ended = "hung up"
)

// panicError turns a recovered panic into an error. SUPERPOINT_STACK=1 adds
// the stack, for a bug report.
func panicError(v any) error {
	if os.Getenv("SUPERPOINT_STACK") != "" {
		return fmt.Errorf("internal error: %v\n%s", v, debug.Stack())
	}
	return fmt.Errorf(
		"internal error: %v; this is a bug, set SUPERPOINT_STACK=1 and report what is printed then", v)
}

// send queues a call for the host's thread; it is dropped after the job's end.
func (p *pump) send(call func()) {
	select {
	case p.calls <- call:
	case <-p.done:
	}
}

// Log implements command.Host.
func (p *pump) Log(level int, text string) {
	if p.host.log != nil {
		p.send(func() { p.host.log(level, text) })
	}
}

// Progress implements command.Host. It sends integer percentages only, and drops
// them while the host's thread is busy, except 100.
func (p *pump) Progress(step string, fraction float64) {
	if p.host.progress == nil || math.IsNaN(fraction) {
		return
	}
	percent := uint64(100 * min(max(fraction, 0), 1))
	if is := (report{step, percent}); p.reported.Swap(is) == is {
		return
	}
	call := func() { p.host.progress(step, float64(percent)/100) }
	if percent == 100 {
		p.send(call)
		return
	}
	select {
	case p.calls <- call:
	default:
	}
}

// report is a finished share of a step.
type report struct {
	step    string
	percent uint64
}

// Read implements command.Host.
func (p *pump) Read(path string, dimensions []string) (columns *command.Columns, err error) {
	if p.host.read == nil {
		return nil, fmt.Errorf("%s: this host cannot read files", path)
	}
	if _, _, err := las.Points(path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return columns, pdalprocess.Readable(path, func(readable string) error {
		return p.ask(path, func() error {
			columns, err = p.host.read(readable, dimensions)
			return err
		})
	})
}

// Convert implements command.Host.
func (p *pump) Convert(from, to string, arguments ...string) error {
	if p.host.convert == nil {
		return errNoGDAL
	}
	return p.ask(to, func() error { return p.host.convert(from, to, arguments) })
}

// errNoGDAL is the error of a host without GDAL.
var errNoGDAL = errors.New("this program has no GDAL")

// WriteRaster implements command.Host.
func (p *pump) WriteRaster(path string, head command.Raster, values []float32) error {
	if p.host.writeRaster == nil {
		return errNoGDAL
	}
	return p.ask(path, func() error { return p.host.writeRaster(path, head, values) })
}

// ReadRaster implements command.Host.
func (p *pump) ReadRaster(path string, first int, values []float32) (head command.Raster, err error) {
	if p.host.readRaster == nil {
		return head, errNoGDAL
	}
	err = p.ask(path, func() (err error) {
		head, err = p.host.readRaster(path, first, values)
		return err
	})
	return head, err
}

// Reference implements host.Host.
func (p *pump) Reference(text string) (r georef.Reference, err error) {
	if p.host.describe == nil || text == "" {
		return georef.Reference{WKT: text}, nil
	}
	return r, p.ask("spatial reference", func() error { r = p.host.describe(text); return nil })
}

// Same implements host.Host.
func (p *pump) Same(a, b georef.Reference) (same bool, err error) {
	if p.host.same == nil || a.WKT == "" || b.WKT == "" {
		return a.Same(b), nil
	}
	if a.WKT == b.WKT || !a.SameHeights(b) {
		return a.WKT == b.WKT, nil
	}
	return same, p.ask("spatial reference", func() error { same = p.host.same(a.WKT, b.WKT); return nil })
}

// ask runs a call about a file on the host's thread and waits for its answer.
func (p *pump) ask(path string, call func() error) error {
	answer := make(chan error, 1)
	p.send(func() { answer <- recovered(call) })
	select {
	case err := <-answer:
		return err
	case <-p.done:
		return fmt.Errorf("%s: the command has ended", path)
	}
}

// Stdout implements command.Host.
func (p *pump) Stdout() io.Writer { return p.out }

// Context implements command.Host.
func (p *pump) Context() context.Context { return p.ctx }

var _ command.Host = (*pump)(nil)
