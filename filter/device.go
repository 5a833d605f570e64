package filter

import (
	"errors"
	"strings"
)

// checkDevice refuses a device this build cannot use.
func (f *Filter) checkDevice() error {
	if strings.HasPrefix(f.options.Device, "cuda") {
		return errors.New("option device: \"" + f.options.Device + "\" is not available here, this build has no CUDA part; use device=auto or device=cpu")
	}
	return nil
}

// device names what the embedding ran on.
func (f *Filter) device() string {
	if f.model == nil {
		return "cpu"
	}
	if named, ok := f.model.embedder.(interface{ Kernel() string }); ok {
		return "cpu (" + named.Kernel() + ")"
	}
	return "cpu"
}
