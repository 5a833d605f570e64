package main

import "context"

// under marks a call of the host at that address as under way: until the
// returned function is called, cancelCalls ends it. Hosts without an address
// cannot cancel.
func under(ctx context.Context, host uintptr) (context.Context, func()) {
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

// call is a call of a host that has not returned.
type call struct {
	host   uintptr
	cancel context.CancelFunc
}

// cancelCalls ends what a host's calls do.
func cancelCalls(host uintptr) {
	handles.Lock()
	defer handles.Unlock()
	for c := range handles.calls {
		if c.host == host {
			c.cancel()
		}
	}
}
