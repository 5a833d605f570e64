// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"fmt"
	"path/filepath"
	"sync"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/filestate"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
)

// Columns are unpacked LAS files with the coordinates, classes and outputs of results, for a command that
// reads the results next: to decode a LAZ file takes a tenth of the time of a map. The process that makes a
// result writes them in the same pass over its points. They are temporary, and never more than a part of the
// points.
type Columns struct {
	Folder string // for the files
	Most   int64  // points in all files

	lock   sync.Mutex
	held   int // files
	points int64
	of     map[string]columns // by the absolute path of the result
}

// columns is a file of Columns, and the state of the result when it was made.
type columns struct{ path, stamp string }

// columnsName is the name of the file with the outputs of the stage, in the folder of a task.
const columnsName = "outputs.las"

// wants reports whether there is room for the columns of a result.
func (c *Columns) wants(points int64) bool {
	if c == nil {
		return false
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.points+points <= c.Most
}

// hold moves the columns of a result that has not its place yet to the folder, and returns their path.
func (c *Columns) hold(from string) (path string, err error) {
	c.lock.Lock()
	c.held++
	path = filepath.Join(c.Folder, fmt.Sprintf("columns%d.las", c.held))
	c.lock.Unlock()
	return path, atomicfile.Move(from, path)
}

// add adds the columns of a result that has its place.
func (c *Columns) add(result, path string, points int64) error {
	stamp, err := filestate.Stamp(result)
	if err == nil {
		result, err = filepath.Abs(result)
	}
	if err != nil {
		return err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.of == nil {
		c.of = map[string]columns{}
	}
	c.points += points
	c.of[result] = columns{path, stamp}
	return nil
}

// Of returns the columns of a result; "" if there are none, or if the result has changed.
func (c *Columns) Of(result string) string {
	stamp, err := filestate.Stamp(result)
	if err == nil {
		result, err = filepath.Abs(result)
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	known := c.of[result]
	if err != nil || stamp != known.stamp {
		return ""
	}
	return known.path
}

// place gives the file with the outputs of the stage the coordinates of the result, whose header is l.
func (w *work) place(writer pdalprocess.Stage, l *las.File) {
	w.hasColumns = w.Columns.wants(int64(l.Count)) && pdalprocess.KeepsCoordinates(l)
	if w.hasColumns {
		pdalprocess.Lattice(writer, l.Lattice)
	}
}
