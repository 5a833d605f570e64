//go:build unix

// SPDX-License-Identifier: BSD-3-Clause

package main

/*
#include <signal.h>
#include <stddef.h>

// Returns 1 if the process has its own handler for interrupts.
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

// cleanupTime is how long a command has to clean up after SIGTERM or SIGHUP. Alone on a machine a survey
// needs 0.2 s; with a small share of a busy processor it needed more than 5 s. Kubernetes and SLURM kill
// after 30 s, systemd later, so that a shorter time here would only leave files.
const cleanupTime = 30 * time.Second

// interruptible returns a context that SIGINT, SIGTERM or SIGHUP cancels, so that a command ends with an
// error and removes its temporary files. A second signal ends the process as usual. After SIGTERM or SIGHUP
// the process also ends if the command runs longer than cleanupTime; after an interrupt the user can press
// Ctrl-C again. A process with its own interrupt handler, such as Python, keeps it, and signals that it
// ignores, as after nohup, remain ignored. Writing beyond the limit of the size of files (ulimit -f) is an
// error of the file, here and in processes that the command starts, and no signal that ends them.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	if C.handles_interrupts() != 0 {
		return ctx, func() { cancel(nil) }
	}
	signal.Ignore(syscall.SIGXFSZ) // until the process ends, as pdal does after a command
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
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
		cancel(endedBy(got))
		if got == os.Interrupt {
			return
		}
		select {
		case <-time.After(cleanupTime):
			_ = syscall.Kill(os.Getpid(), got.(syscall.Signal))
		case <-done:
		}
	}()
	return ctx, func() {
		close(done)
		cancel(nil)
	}
}

// endedBy returns the error of a command that a signal ended.
func endedBy(s os.Signal) error {
	switch s {
	case syscall.SIGTERM:
		return errTerminated
	case syscall.SIGHUP:
		return errHungUp
	}
	return errInterrupted
}
