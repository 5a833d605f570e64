// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
)

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
