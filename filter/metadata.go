package filter

import (
	"encoding/json"
	"fmt"
)

// record gathers what Metadata tells about all views so far.
type record struct {
	Version string  `json:"version"`
	Seconds float64 `json:"seconds"`
}

// Metadata returns a JSON object about all views segmented so far: counts, size
// quantiles, seconds a step, device, model and its hash, energy, λ, and metrics
// if truth was given.
func (f *Filter) Metadata() ([]byte, error) {
	f.record.Version = Version
	text, err := json.Marshal(&f.record)
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	return text, nil
}
