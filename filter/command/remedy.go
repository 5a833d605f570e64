package command

import (
	"fmt"
	"strings"
)

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
