// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"superpoint/filter/land"
	"superpoint/filter/message"
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
	how         string          // stage.how
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
	return s.Say("%s: %s, %s, %.1f s%s", done.Output, points,
		message.Count(done.Superpoints, "superpoint"), done.Seconds, done.how)
}

// stage has the metadata of filters.superpoint.
type stage struct {
	Points, Superpoints           int64
	Method, Model, Solver, Device string
	Classes                       *land.Summary
	text                          json.RawMessage
}

// stageOf returns the metadata of the stage from the metadata of a pipeline.
func stageOf(text []byte) (s *stage, err error) {
	var m struct {
		Stages map[string]json.RawMessage
	}
	if json.Unmarshal(text, &m) != nil || m.Stages["filters.superpoint"] == nil {
		return nil, errors.New("pdal wrote no metadata of filters.superpoint (is the disk full?)")
	}
	return parseStage(m.Stages["filters.superpoint"])
}

func parseStage(text []byte) (*stage, error) {
	s := &stage{text: text}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("metadata of filters.superpoint: %w", err)
	}
	return s, nil
}

// how returns the method, model, solver and device, and the classes.
func (m *stage) how() string {
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

// Failed is the error of a batch in which some files failed, about which it has logged errors.
type Failed struct {
	Inputs []string
	Errors []error // of each
	all    int
}

func (e *Failed) Error() string {
	return fmt.Sprintf(
		"%d of %s failed; correct them or leave them out, and run again: finished outputs are kept",
		len(e.Inputs), message.Count(e.all, "file"))
}

// fill sets what is known of a result.
func (done *segmented) fill(made result, start time.Time) {
	done.written = made.points
	done.Points = made.stage.Points
	done.Superpoints = made.stage.Superpoints
	done.Stage = made.stage.text
	done.how = made.stage.how()
	done.Seconds = math.Round(1000*time.Since(start).Seconds()) / 1000
}
