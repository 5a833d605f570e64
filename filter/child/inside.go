package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"superpoint/filter"
	"superpoint/filter/host"
)

// answer is what a pipeline in this process tells, see superpoint.h.
type answer struct {
	Log, Reader string
	Metadata    json.RawMessage
	Schema      json.RawMessage
}

// inside runs stages in this process, or only prepares them, as the pdal command of a
// name would; done is false where this process cannot.
func (c Process) inside(ctx context.Context, command string, stages []any, run bool) (a answer, done bool, err error) {
	if c.Host == nil {
		return a, false, nil
	}
	text, err := json.Marshal(stages)
	if err != nil {
		return a, true, err
	}
	said := &listener{Process: c}
	answered, err := c.Host.Pipeline(c.Folder, text, run, host.Heard{
		Progress: func(step string, fraction float64) {
			if c.Progress != nil {
				c.Progress(step, fraction)
			}
		},
		Log: func(level int, text string) {
			if level == filter.LogWarning && c.Warn != nil {
				c.Warn(text)
			}
		},
	})
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return a, false, nil
	case ctx.Err() != nil:
		return a, true, ctx.Err()
	case err != nil:
		_, _ = io.WriteString(said, err.Error())
		return a, true, failure(command, strings.TrimSpace(said.complaint()))
	}
	if err := json.Unmarshal(answered, &a); err != nil {
		return a, true, fmt.Errorf("pdal %s: %w", command, err)
	}
	_, _ = io.WriteString(said, a.Log)
	said.complaint()
	return a, true, nil
}
