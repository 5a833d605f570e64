package batch

import (
	"encoding/json"
	"maps"
	"path/filepath"

	"superpoint/filter"
	"superpoint/filter/records"
	"superpoint/filter/sources"
)

// made has the inputs of a result. It is recorded in the result, so that it is computed again if
// any of them changes.
type made struct {
	Software string            `json:"software"`
	Source   string            `json:"source"`            // sources.Signature of the input
	Options  map[string]string `json:"options,omitempty"` // of the stage; of files the name
	Content  map[string]string `json:"content,omitempty"` // SHA-256 of these files
	Where    string            `json:"where,omitempty"`
	SRS      string            `json:"default_srs,omitempty"`
	Unique   bool              `json:"unique,omitempty"`
}

// madeFrom returns the record for the result of an input, without options that do not affect
// results.
func (s *segmenter) madeFrom(input string) (m made, err error) {
	m = made{Software: filter.Version, Options: maps.Clone(s.options), Content: s.content, Where: s.where, SRS: s.srs,
		Unique: s.ids != nil}
	for _, option := range []string{"threads", "device"} {
		delete(m.Options, option)
	}
	if m.Unique {
		delete(m.Options, "first_id")
	}
	for option := range m.Content {
		m.Options[option] = filepath.Base(m.Options[option])
	}
	m.Source, err = sources.Signature(input)
	return m, err
}

func (m *made) same(o *made) bool {
	return m.Software == o.Software && m.Source == o.Source && maps.Equal(m.Options, o.Options) &&
		maps.Equal(m.Content, o.Content) && m.Where == o.Where && m.SRS == o.SRS && m.Unique == o.Unique
}

// madeOf reads the record of a file; nil if segment did not make it.
func madeOf(path string) *made {
	m := new(made)
	if json.Unmarshal(records.Made(path), m) != nil || m.Source == "" {
		return nil
	}
	return m
}

// record writes the record into a result.
func (m *made) record(path string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return records.SetMade(path, text)
}
