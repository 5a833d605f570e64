package command

import (
	"fmt"
	"strings"
	"sync"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/pipelines/files/sources"
)

// Host is the interface of the program that runs a command.
type Host = host.Host

// Columns are the points of one file.
type Columns = host.Columns

// checkedHost fails to read files that PDAL would not read as they are (sources.Inspect), pictures, and files for which
// the command has not enough memory. Points without finite coordinates are left out, with a warning.
type checkedHost struct {
	Host
	bytes    int         // of memory per point
	pictures func() bool // reports whether the pixels of pictures are wanted
	warned   sync.Map    // warnings that were given
	named    sync.Map    // files that a line on standard output or in the log is about
	quiet    bool
}

func (h *checkedHost) Read(path string, dimensions []string) (*Columns, error) {
	c, err := h.read(path, dimensions)
	if err != nil {
		return nil, message.File(path, err)
	}
	if h.bytes > 0 {
		err = memory.Check(path, len(c.X), float64(h.bytes))
	}
	return c, err
}

func (h *checkedHost) read(path string, dimensions []string) (*Columns, error) {
	pictures := h.pictures != nil && h.pictures()
	if !pictures {
		if err := sources.CheckCloud(path); err != nil {
			return nil, err
		}
	}
	points, err := sources.Inspect(path)
	if err != nil {
		return nil, err
	}
	c, err := h.Host.Read(path, dimensions)
	if err != nil || pictures {
		return c, err
	}
	if err := sources.CheckCount(int64(len(c.X)), points); err != nil {
		return nil, err
	}
	if lost := c.Usable(); lost > 0 {
		h.Log(filter.LogWarning, fmt.Sprintf("%s: %s without finite coordinates left out", path,
			message.Count(lost, "point")))
	}
	return c, nil
}

// checked returns the host with these checks.
func checked(given Host, bytes int, pictures func() bool) Host {
	return &checkedHost{Host: given, bytes: bytes, pictures: pictures}
}

// Remedy replaces the options of readers that messages name by those of a command: commands have no readers.
func Remedy(text string) string {
	return strings.NewReplacer(georef.Override, "pdal superpoint segment --override_srs",
		georef.Default, "pdal superpoint segment --default_srs").Replace(text)
}

// CommandError replaces the remedy of pipelines in an error by that of commands.
type CommandError struct{ Err error }

func (e CommandError) Error() string { return Remedy(e.Err.Error()) }
func (e CommandError) Unwrap() error { return e.Err }

// Log implements Host. It gives a message once, not for each tile of a survey or step of a command.
func (h *checkedHost) Log(level int, text string) {
	text = Remedy(text)
	if level == filter.LogWarning || level == filter.LogInfo {
		if _, again := h.warned.LoadOrStore(text, true); again {
			return
		}
		h.name(text)
	}
	if level == filter.LogInfo && h.quiet {
		return
	}
	h.Host.Log(level, text)
}

// name records the file that a line begins with.
func (h *checkedHost) name(line string) {
	if at := strings.Index(line, ": "); at >= 0 {
		h.named.Store(line[:at], true)
	}
}

// Say writes a line about what was written to standard output, unless the command is quiet.
func Say(h Host, format string, values ...any) error {
	text := fmt.Sprintf(format, values...)
	if c, is := h.(*checkedHost); is {
		if c.name(text); c.quiet {
			return nil
		}
	}
	_, err := fmt.Fprintln(h.Stdout(), text)
	return err
}
