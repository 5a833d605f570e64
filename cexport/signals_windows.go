package main

import "context"

// interruptible returns a context that only sp_cancel's twin cancels: on Windows
// an interrupt ends the process, or is the host's.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	return ctx, cancel
}
