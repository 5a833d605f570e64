package main

import (
	"fmt"
	"sync"
)

// handles is the only state of the library. Handles are never reused, so a closed
// one is recognised.
var handles struct {
	sync.Mutex
	last  uint64
	open  map[uint64]*session
	calls map[*call]struct{} // running
}

func register(s *session) uint64 {
	handles.Lock()
	defer handles.Unlock()
	if handles.open == nil {
		handles.open = make(map[uint64]*session)
	}
	handles.last++
	handles.open[handles.last] = s
	return handles.last
}

func lookup(handle uint64) (*session, error) {
	handles.Lock()
	defer handles.Unlock()
	s := handles.open[handle]
	if s == nil {
		return nil, fmt.Errorf("handle %d is not open; make one with sp_open", handle)
	}
	return s, nil
}

func release(handle uint64) {
	handles.Lock()
	s := handles.open[handle]
	delete(handles.open, handle)
	handles.Unlock()
	if s != nil {
		s.Lock()
		defer s.Unlock()
		s.filter.Close()
	}
}
