// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// The only state of the library. Handles are never reused, so a closed one is recognised.
var (
	lastHandle atomic.Uint64
	sessions   sync.Map // *session by handle
	calls      sync.Map // address of the sp_host by the *context.CancelFunc of each running call
)

func register(s *session) uint64 {
	handle := lastHandle.Add(1)
	sessions.Store(handle, s)
	return handle
}

func lookup(handle uint64) (*session, error) {
	s, ok := sessions.Load(handle)
	if !ok {
		return nil, fmt.Errorf("handle %d is not open; make one with sp_open", handle)
	}
	return s.(*session), nil
}

func release(handle uint64) {
	if s, ok := sessions.LoadAndDelete(handle); ok {
		s := s.(*session)
		s.Lock()
		defer s.Unlock()
		s.filter.Close()
	}
}

// trackCall returns a context that cancelCalls(host) cancels, until the returned
// function is called. host is the address of the sp_host; 0 cannot be cancelled.
func trackCall(ctx context.Context, host uintptr) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	calls.Store(&cancel, host)
	return ctx, func() {
		calls.Delete(&cancel)
		cancel()
	}
}

// cancelCalls cancels the contexts of a host's running calls.
func cancelCalls(host uintptr) {
	calls.Range(func(cancel, of any) bool {
		if of == host {
			(*cancel.(*context.CancelFunc))()
		}
		return true
	})
}
