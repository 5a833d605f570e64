// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"superpoint/partition/base/parallel"
)

// recovered returns body's error, the error of the loop that ended it, or its panic as an error.
func recovered(body func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicError(v)
		}
	}()
	defer parallel.Catch(&err)
	return body()
}

// panicError turns a recovered panic into an error. SUPERPOINT_STACK=1 adds
// the stack, for a bug report.
func panicError(v any) error {
	if os.Getenv("SUPERPOINT_STACK") != "" {
		return fmt.Errorf("internal error: %v\n%s", v, debug.Stack())
	}
	return fmt.Errorf(
		"internal error: %v; this is a bug, set SUPERPOINT_STACK=1 and report what is printed then", v)
}
