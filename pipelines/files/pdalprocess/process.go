// SPDX-License-Identifier: BSD-3-Clause

// Package pdalprocess runs pdal as a child process: pipelines, and the schema of a file. It passes on
// progress and warnings, and the child ends with this process.
package pdalprocess

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNoProgram is the error of all that needs a pdal program without one.
var ErrNoProgram = errors.New("no pdal on the PATH; set SUPERPOINT_PDAL to one")

// pdalProgram returns the pdal that runs this command, else the first on the
// PATH. Its environment (library and plugin paths) is inherited.
func pdalProgram() (string, error) {
	if own, err := os.Executable(); err == nil && filepath.Base(own) == "pdal" {
		return own, nil
	}
	if path := os.Getenv("SUPERPOINT_PDAL"); path != "" {
		return path, nil
	}
	path, err := exec.LookPath("pdal")
	if err != nil {
		return "", ErrNoProgram
	}
	return path, nil
}

// Process has the options of a pdal process.
type Process struct {
	Folder   string                              // working folder; "" = the current one
	Progress func(step string, fraction float64) // of filters.superpoint; may be nil
	Warn     func(text string)                   // warnings of stages; nil = part of the error if it fails
	Stage    func(metadata []byte)               // of filters.superpoint, also if a later stage fails

	Companion *Companion // runs the commands first; nil = each has a process of its own
}

// environment returns the variables of a pdal process; nil if it inherits them. They ask the plugin for lines
// on standard error, which this process reads.
func (c Process) environment() (all []string) {
	if c.Progress != nil {
		all = append(os.Environ(), "SUPERPOINT_PROGRESS=lines")
	}
	if c.Stage != nil {
		if all == nil {
			all = os.Environ()
		}
		all = append(all, "SUPERPOINT_METADATA=lines")
	}
	return all
}

// Companion is a pdal process that runs commands of several files, one after another (Requests.hpp): to start
// one takes longer than all work on a file of a few thousand points. A command that fails in it ends it, and
// runs again in a process of its own: so a broken file fails alone, with the same error as in any other run.
//
// It is for one goroutine. The zero value has no process yet, and is ready.
type Companion struct {
	process *exec.Cmd
	end     context.CancelFunc
	in      io.WriteCloser
	out     *bufio.Reader
	said    chan string // lines of standard error
	served  int
}
