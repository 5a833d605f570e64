// SPDX-License-Identifier: BSD-3-Clause

package main

import "context"

// interruptible returns a context that no signal cancels: on Windows an interrupt
// ends the process or is handled by the host.
func interruptible() (ctx context.Context, stop func()) {
	return context.WithCancel(context.Background())
}
