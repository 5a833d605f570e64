package main

import (
	"context"
	"errors"
	"sync/atomic"

	"superpoint/filter/host"
)

// outer is the command whose pipeline the host's thread runs, if any. The stages of
// that pipeline call this library on the same thread: they end with the command,
// and what they tell goes to it and not to PDAL.
type outer struct {
	ctx   context.Context
	heard host.Heard
}

var running atomic.Pointer[outer]

// Pipeline implements host.Pipelines.
func (p *pump) Pipeline(folder string, stages []byte, run bool, heard host.Heard) (answer []byte, err error) {
	if p.host.pipeline == nil {
		return nil, errors.ErrUnsupported
	}
	o := &outer{p.ctx, heard}
	failed := p.ask(folder, func() error {
		if !running.CompareAndSwap(nil, o) {
			return errors.ErrUnsupported
		}
		defer running.Store(nil)
		p.nested.Store(true)
		defer p.nested.Store(false)
		var text string
		text, err = p.host.pipeline(folder, string(stages), run)
		answer = []byte(text)
		return err
	})
	return answer, failed
}

// within returns the context and the callbacks of a stage's call: those of the
// command that it is part of, or else its own.
func within(own callbacks) (context.Context, callbacks) {
	o := running.Load()
	if o == nil {
		return context.Background(), own
	}
	own.log, own.progress = o.heard.Log, o.heard.Progress
	return o.ctx, own
}
