// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"maps"
	"path/filepath"

	"superpoint/pipelines/files/las"
)

// Record says what made a result. It is in the result, in an extended variable length record of LAS, so that
// the result is made again if any of it changes.
type Record struct {
	Software string `json:"software"`         // filter.Software
	Source   string `json:"source,omitempty"` // content of the input
	// of a survey: checksum of its plan, which has sources and options
	Plan    string            `json:"plan,omitempty"`
	Result  *int              `json:"result,omitempty"`  // of a survey: number of the source
	Options map[string]string `json:"options,omitempty"` // of the stage; of files the name
	Content map[string]string `json:"content,omitempty"` // of the files that options name, see Options
	Where   string            `json:"where,omitempty"`   // which points are processed

	// Options that replace spatial references.
	Default  string `json:"default_srs,omitempty"`
	Override string `json:"override_srs,omitempty"`
}

// Same reports whether equal results have two records.
func (r *Record) Same(o *Record) bool {
	sameInput := r.Software == o.Software && r.Source == o.Source && r.Where == o.Where
	sameOptions := maps.Equal(r.Options, o.Options) && maps.Equal(r.Content, o.Content)
	sameReferences := r.Default == o.Default && r.Override == o.Override
	return sameInput && sameOptions && sameReferences
}

// Write appends the record to a LAS 1.4 file.
func (r *Record) Write(path string) error { return las.SetMade(path, r) }

// ReadRecord returns the record of a result of one source; nil if the file has none.
func ReadRecord(path string) *Record {
	r := new(Record)
	if !las.Made(path, r) || r.Source == "" {
		return nil
	}
	return r
}

// ReadSurvey returns the record of a result of a survey; nil if the file is none.
func ReadSurvey(path string) *Record {
	r := new(Record)
	if !las.Made(path, r) || r.Plan == "" {
		return nil
	}
	return r
}

// NamesOf returns options for a record: those that have a content name files, whose folders are left out.
func NamesOf(options, content map[string]string) map[string]string {
	names := map[string]string{}
	for option, value := range options {
		if content[option] != "" && value != "" {
			value = filepath.Base(value)
		}
		names[option] = value
	}
	return names
}
