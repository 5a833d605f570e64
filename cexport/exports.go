// SPDX-License-Identifier: BSD-3-Clause

package main

/*
#include <stdlib.h>
#include "superpoint.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unsafe"
)

// Estimates of memory assume Go's default collector, so GOGC, which may be set
// for another program, is overridden.
func init() { debug.SetGCPercent(100) }

//export goClose
func goClose(handle C.uint64_t) { release(uint64(handle)) }

//export goOpen
func goOpen(count C.int32_t, options **C.char, host *C.sp_host, failure **C.char) (handle C.uint64_t) {
	guard(failure, func() error {
		settings, err := copyTexts("options", count, options)
		if err != nil {
			return err
		}
		s, err := openSession(settings, hostCallbacks(host))
		if err == nil {
			handle = C.uint64_t(register(s))
		}
		return err
	})
	return handle
}

//export goDescribe
func goDescribe(handle C.uint64_t, available *C.char, host *C.sp_host, failure **C.char) *C.char {
	return textOf(handle, failure, func(s *session) (string, error) {
		return s.describe(names(available), hostCallbacks(host))
	})
}

//export goSegment
func goSegment(handle C.uint64_t, cloud *C.sp_cloud, host *C.sp_host, failure **C.char) C.int32_t {
	return guard(failure, func() error {
		return withSession(handle, func(s *session) error {
			s.result = nil // a cloud that is refused has none
			view, err := borrow(cloud)
			if err != nil {
				return err
			}
			return s.segment(view, hostCallbacks(host))
		})
	})
}

//export goOutput
func goOutput(handle C.uint64_t, name *C.char, values *C.double, count C.uint64_t,
	failure **C.char) C.int32_t {
	return guard(failure, func() error {
		return withSession(handle, func(s *session) error {
			switch {
			case s.result == nil:
				return errors.New("there is no result; call sp_segment first")
			case name == nil || values == nil && count > 0:
				return errors.New("the name or the array of values is a null pointer")
			case uint64(count) != uint64(len(s.result.ID)):
				return fmt.Errorf("the array holds %d values, the cloud had %d points", count,
					len(s.result.ID))
			}
			return s.result.Output(C.GoString(name), unsafe.Slice((*float64)(values), int(count)))
		})
	})
}

//export goMetadata
func goMetadata(handle C.uint64_t, failure **C.char) *C.char {
	return textOf(handle, failure, (*session).metadata)
}

// textOf returns a text of a session as a C string, or null and sets *failure.
func textOf(handle C.uint64_t, failure **C.char, body func(s *session) (string, error)) (text *C.char) {
	guard(failure, func() error {
		return withSession(handle, func(s *session) error {
			lines, err := body(s)
			if err == nil {
				text = C.CString(lines)
			}
			return err
		})
	})
	return text
}

//export goCancel
func goCancel(host *C.sp_host) {
	cancelCalls(uintptr(unsafe.Pointer(host)))
}

//export goCommand
func goCommand(count C.int32_t, arguments **C.char, host *C.sp_host, printed, failure **C.char) C.int32_t {
	if printed == nil {
		return runArguments(count, arguments, host, os.Stdout, failure)
	}
	var text strings.Builder
	ok := runArguments(count, arguments, host, &text, failure)
	if ok == 1 {
		*printed = C.CString(text.String())
	}
	return ok
}

// runArguments runs a command of a host and prints its result to out.
func runArguments(count C.int32_t, arguments **C.char, host *C.sp_host, out io.Writer,
	failure **C.char) C.int32_t {
	return guard(failure, func() error {
		args, err := copyTexts("arguments", count, arguments)
		if err != nil {
			return err
		}
		ctx, stop := interruptible()
		defer stop()
		return run(ctx, hostCallbacks(host), func(p *pump) error {
			p.out = out
			return runCommand(p, withVersion(args, os.Args))
		})
	})
}

// withVersion returns the arguments of a command, or the command version if the process is a pdal with the
// option --version: pdal removes that from the arguments that it passes.
func withVersion(args, process []string) []string {
	if end := slices.Index(process, "--"); end >= 0 { // names of files follow
		process = process[:end]
	}
	if len(process) > 0 && filepath.Base(process[0]) == "pdal" && slices.Contains(process, "--version") {
		return []string{"version"}
	}
	return args
}

// copyTexts copies C strings; what names them in errors.
func copyTexts(what string, count C.int32_t, list **C.char) (all []string, err error) {
	if count < 0 || list == nil && count > 0 {
		return nil, fmt.Errorf("%d %s, or a null pointer to them", count, what)
	}
	for i, text := range unsafe.Slice(list, int(count)) {
		if text == nil {
			return nil, fmt.Errorf("%s: number %d is a null pointer", what, i)
		}
		all = append(all, C.GoString(text))
	}
	return all, nil
}

// guard runs the body of an exported function. It returns 1, or 0 and sets
// *failure to the error or the panic of body.
func guard(failure **C.char, body func() error) C.int32_t {
	err := recovered(body)
	if err == nil {
		return 1
	}
	if failure != nil {
		*failure = C.CString(shortenError(err.Error()))
	}
	return 0
}

// maxErrorBytes limits the length of an error text, except one with a stack.
const maxErrorBytes = 4000

// shortenError leaves out the middle of a text that quotes a value of megabytes.
func shortenError(text string) string {
	if len(text) <= maxErrorBytes || os.Getenv("SUPERPOINT_STACK") != "" {
		return text
	}
	const end = 600 // where the remedy stands
	head, tail := text[:maxErrorBytes-end], text[len(text)-end:]
	return fmt.Sprintf("%s … (%d bytes left out) … %s", strings.ToValidUTF8(head, ""),
		len(text)-maxErrorBytes,
		strings.ToValidUTF8(tail, ""))
}

// withSession calls body with the session of a handle, locked.
func withSession(handle C.uint64_t, body func(s *session) error) error {
	s, err := lookup(uint64(handle))
	if err != nil {
		return err
	}
	s.Lock()
	defer s.Unlock()
	return body(s)
}
