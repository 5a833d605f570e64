// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// The state of the library, with running (cancel.go). Handles are never reused, so a closed one is
// recognised.
var (
	lastHandle atomic.Uint64
	sessions   sync.Map // *session by handle
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
