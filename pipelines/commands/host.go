package command

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/memory"
)

// Host is the interface of the program that runs a command.
type Host = host.Host

// Columns are the points of one file.
type Columns = host.Columns

// memoryCheckHost fails to read files for which the command has not enough memory.
type memoryCheckHost struct {
	Host
	bytes  int       // per point
	warned *sync.Map // warnings that were given
}

func (h memoryCheckHost) Read(path string, dimensions []string) (*Columns, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: it is a folder; name a file in it", path)
	}
	c, err := h.Host.Read(path, dimensions)
	if err == nil && h.bytes > 0 {
		err = memory.Check(path, len(c.X), uint64(h.bytes)*uint64(len(c.X)))
	}
	return c, err
}

// withMemoryCheck returns the host with that check.
func withMemoryCheck(given Host, bytes int) Host { return memoryCheckHost{given, bytes, new(sync.Map)} }

// If the unit of coordinates is unknown, the remedy in a pipeline is an option of the
// reader. Commands have no reader; their remedy is an option of segment.
const (
	stageRemedy   = "the reader's override_srs"
	commandRemedy = "pdal superpoint segment --default_srs"
)

func remedy(text string) string { return strings.ReplaceAll(text, stageRemedy, commandRemedy) }

// commandError replaces the remedy of pipelines in an error by that of commands.
type commandError struct{ error }

func (e commandError) Error() string { return remedy(e.error.Error()) }
func (e commandError) Unwrap() error { return e.error }

// Log implements Host. It gives a message once, not for each tile of a survey or step of a command.
func (h memoryCheckHost) Log(level int, text string) {
	text = remedy(text)
	if level == filter.LogWarning || level == filter.LogInfo {
		if _, again := h.warned.LoadOrStore(text, true); again {
			return
		}
	}
	h.Host.Log(level, text)
}
