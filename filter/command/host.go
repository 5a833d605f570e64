package command

import (
	"errors"
	"fmt"
	"strings"

	"superpoint/filter/host"
	"superpoint/filter/memory"
)

// Host is what a command needs of the program that runs it.
type Host = host.Host

// Columns are the points of one file.
type Columns = host.Columns

// roomyHost refuses files whose points leave the command no room.
type roomyHost struct {
	Host
	bytes int // a point
}

func (h roomyHost) Read(path string, dimensions []string) (*Columns, error) {
	c, err := h.Host.Read(path, dimensions)
	if err == nil && h.bytes > 0 {
		err = memory.Check(path, len(c.X), uint64(h.bytes)*uint64(len(c.X)))
	}
	return c, err
}

// withRoom returns the host with that check; what else it can stays.
func withRoom(given Host, bytes int) Host {
	h := roomyHost{given, bytes}
	if c, converts := given.(Converter); converts {
		return struct {
			roomyHost
			Converter
		}{h, c}
	}
	return h
}

// ErrNoGDAL is the error of a host that cannot write vector files.
var ErrNoGDAL = errors.New("this program has no GDAL to write it with")

// Converter is a host that can write vector files.
type Converter interface {
	// Convert writes a GeoJSON file as another format of GDAL, by the arguments of
	// ogr2ogr. If from is "", it only reports whether GDAL can write such a file.
	Convert(from, to string, arguments ...string) error
}

// A stage's remedy for coordinates whose unit is not known is an option of the
// reader before it, which commands do not have: they read what segment has written
// with its own option.
const (
	ofStage   = "the reader's override_srs"
	ofCommand = "pdal superpoint segment --default_srs"
)

func remedy(text string) string { return strings.ReplaceAll(text, ofStage, ofCommand) }

// ofFile names the file that an error is about, unless it does.
func ofFile(path string, err error) error {
	if strings.HasPrefix(err.Error(), path+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// remedied is an error with the remedy of commands.
type remedied struct{ error }

func (e remedied) Error() string { return remedy(e.error.Error()) }
func (e remedied) Unwrap() error { return e.error }

// Log implements Host.
func (h roomyHost) Log(level int, text string) { h.Host.Log(level, remedy(text)) }
