// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/pipelines/commands/command"
)

// segmented is the report about one file.
type segmented struct {
	Input       string          `json:"input"`
	Output      string          `json:"output,omitempty"`
	Kept        bool            `json:"kept,omitempty"`   // the output existed
	Points      int64           `json:"points,omitempty"` // segmented
	Superpoints int64           `json:"superpoints,omitempty"`
	Seconds     float64         `json:"seconds,omitempty"`
	Error       string          `json:"error,omitempty"`
	Stage       json.RawMessage `json:"stage,omitempty"` // metadata of filters.superpoint
	written     int64           // points
	err         error           // it has no output
}

// report writes a line about a file to standard output. As text it omits failures, which are logged.
func (s *segmenter) report(done *segmented) error {
	if s.JSON {
		return json.NewEncoder(s.host.Stdout()).Encode(done)
	}
	if done.Error != "" || done.Kept {
		return nil
	}
	points := message.Count(done.written, "point")
	if done.written != done.Points {
		points = message.Thousands(done.Points) + " of " + points
	}
	return command.Say(s.host, "%s: %s, %s, %.1f s%s", done.Output, points,
		message.Count(done.Superpoints, "superpoint"), done.Seconds, done.how())
}

// how returns the method, model, solver and device, and the classes.
func (d *segmented) how() string {
	var m struct {
		Method, Model, Solver, Device string
		Classes                       *filter.Classified
	}
	if json.Unmarshal(d.Stage, &m) != nil {
		return ""
	}
	text := " (" + m.Method
	for _, part := range []string{m.Model, m.Solver, m.Device} {
		if part != "" {
			text += ", " + part
		}
	}
	text += ")"
	if m.Classes != nil {
		text += "; " + m.Classes.String()
	}
	return text
}

// count sets the numbers from the stage's metadata.
func (d *segmented) count(stage json.RawMessage, start time.Time) error {
	var m struct{ Points, Superpoints int64 }
	if err := json.Unmarshal(stage, &m); err != nil {
		return fmt.Errorf("metadata of filters.superpoint: %w", err)
	}
	d.Points, d.Superpoints, d.Stage = m.Points, m.Superpoints, stage
	d.Seconds = math.Round(1000*time.Since(start).Seconds()) / 1000
	return nil
}
