// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"sync"
)

// running has the address of the sp_host by the *context.CancelFunc of each running call.
var running sync.Map

// trackCall returns a context that cancelCalls(host) cancels, until the returned
// function is called. host is the address of the sp_host; 0 cannot be cancelled.
func trackCall(ctx context.Context, host uintptr) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	running.Store(&cancel, host)
	return ctx, func() {
		running.Delete(&cancel)
		cancel()
	}
}

// cancelCalls cancels the contexts of a host's running calls.
func cancelCalls(host uintptr) {
	running.Range(func(cancel, of any) bool {
		if of == host {
			(*cancel.(*context.CancelFunc))()
		}
		return true
	})
}
