package filter

import (
	"fmt"
	"time"
)

// Version is the version of the filter, as metadata and commands show it.
const Version = "0.1.0"

// Filter segments the views of one pipeline. It is not safe for concurrent use.
type Filter struct {
	options *Options
	log     Log
	next    uint32 // id of the next view's first superpoint
	record  record // what Metadata tells
}

// New prepares a filter. A model that is named or a file is loaded here, so a
// wrong one fails before any point is read; `auto` waits for Describe or
// Segment, which know the dimensions.
func New(options *Options, log Log) (*Filter, error) {
	if options == nil {
		options = new(Options)
	}
	own := *options
	if err := own.check(); err != nil {
		return nil, err
	}
	if log == nil {
		log = func(int, string) {}
	}
	return &Filter{options: &own, log: log, next: 1}, nil
}

// Describe says what the filter reads and writes, given the names of the
// dimensions the view will have. It fails if a required dimension is missing.
func (f *Filter) Describe(available []string) (*Description, error) {
	d := &Description{}
	if err := f.describeLabels(d, available); err != nil {
		return nil, err
	}
	f.describeOutputs(d)
	return d, nil
}

// Segment finds the superpoints of one view. An empty view gives an empty
// segmentation and a warning.
func (f *Filter) Segment(run Run, view *View) (*Segmentation, error) {
	start := time.Now()
	if view.Len() == 0 {
		f.log(LogWarning, "the view has no points; nothing to segment")
		return &Segmentation{First: f.next}, nil
	}
	f.record.Seconds = time.Since(start).Seconds()
	return nil, fmt.Errorf("method %s is not part of this build", f.options.Method)
}
