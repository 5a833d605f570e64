package main

import "context"

// trackCall returns a context that cancelCalls(host) cancels, until the returned
// function is called. host is the address of the sp_host; 0 cannot be cancelled.
func trackCall(ctx context.Context, host uintptr) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	if host == 0 {
		return ctx, cancel
	}
	c := &call{host, cancel}
	handles.Lock()
	defer handles.Unlock()
	if handles.calls == nil {
		handles.calls = make(map[*call]struct{})
	}
	handles.calls[c] = struct{}{}
	return ctx, func() {
		handles.Lock()
		delete(handles.calls, c)
		handles.Unlock()
		cancel()
	}
}

// call is a running call of a host.
type call struct {
	host   uintptr
	cancel context.CancelFunc
}

// cancelCalls cancels the contexts of a host's running calls.
func cancelCalls(host uintptr) {
	handles.Lock()
	defer handles.Unlock()
	for c := range handles.calls {
		if c.host == host {
			c.cancel()
		}
	}
}
