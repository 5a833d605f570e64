//go:build unix

package main

/*
#include <signal.h>
#include <stddef.h>

// Whether the process has a handler of its own for interrupts.
static int handles_interrupts(void) {
	struct sigaction now;
	return sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}
*/
import "C"

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a command has to clean up after SIGTERM or SIGHUP.
const patience = 5 * time.Second

// interruptible returns a context that a signal cancels, so that a command ends
// with an error and leaves no temporary file. A second signal ends the process as
// usual; so does the first one if the command does not follow in time, except an
// interrupt, after which a user who waits decides. A process that handles
// interrupts itself, such as Python, keeps its signals.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	if C.handles_interrupts() != 0 {
		return ctx, cancel
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer signal.Stop(signals)
		var got os.Signal
		select {
		case got = <-signals:
		case <-done:
			return
		}
		signal.Stop(signals)
		cancel()
		if got == os.Interrupt {
			return
		}
		select {
		case <-time.After(patience):
			_ = syscall.Kill(os.Getpid(), got.(syscall.Signal))
		case <-done:
		}
	}()
	return ctx, func() {
		close(done)
		cancel()
	}
}
