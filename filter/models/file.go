package models

import (
	"fmt"
	"io"
	"os"
	"strings"

	"superpoint/embed/cli"
)

// maxFile is the size, in bytes, above which a file is not read: the
// paper's network takes 60 kB.
const maxFile = 64 << 20

// file reads the file that an option names beside what is built in.
func file(option, path string, known []string) ([]byte, error) {
	// opened first and looked at then: what has the name may change in between. An
	// open that waits for the other end of a pipe would never come back.
	f, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf("option %s: %q is neither a built-in model nor a file%s; give a path, or one of %s",
			option, path, cli.DidYouMean(path, known), strings.Join(known, ", "))
	case err != nil:
		return nil, fmt.Errorf("option %s: %w", option, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("option %s: %w", option, err)
	case info.IsDir():
		return nil, fmt.Errorf("option %s: %q is a folder; give a model file made by `superpoint train`", option, path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("option %s: %q is a pipe or a device; give a model file made by `superpoint train`", option,
			path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("option %s: %q has %d bytes, which no model has; give a model file made by `superpoint "+
			"train`", option, path, info.Size())
	}
	content, err := io.ReadAll(io.LimitReader(f, maxFile)) // it may grow while it is read
	if err != nil {
		return nil, fmt.Errorf("option %s: %w", option, err)
	}
	return content, nil
}
