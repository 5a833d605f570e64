// SPDX-License-Identifier: BSD-3-Clause

// Package layers writes tables and vector layers of superpoints.
package layers

import (
	"bufio"
	"io"
	"strconv"

	"superpoint/filter/georef"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
)

// Features writes a GeoJSON file.
type Features struct {
	host      command.Host
	name      string
	out       *bufio.Writer
	first     string // the first file; "" before begin
	reference georef.Reference
	count     int
}

// writer returns the function that writes a file of layers.
func (f *Features) writer(layers []Layer) func(w io.Writer) error {
	return func(w io.Writer) error {
		f.out = bufio.NewWriterSize(w, 1<<20)
		for _, l := range layers {
			if err := l.Body(f); err != nil {
				return err
			}
		}
		if _, err := f.out.WriteString("\n]}\n"); err != nil {
			return err
		}
		return f.out.Flush()
	}
}

// Count returns the number of features so far.
func (f *Features) Count() int { return f.count }

// Begin starts the features of a file. It fails unless all files have the same spatial
// reference.
func (f *Features) Begin(path string, reference georef.Reference) error {
	if f.first != "" {
		return CheckReference(f.host, path, reference, f.first, f.reference)
	}
	f.first, f.reference = path, reference
	_, err := f.out.WriteString(geoJSONHead(f.name, reference))
	return err
}

// Add writes n features in order. feature, which appends feature k to text, runs in
// parallel; empty features are left out.
func (f *Features) Add(run parallel.Run, n int, feature func(text []byte, k int) []byte) error {
	const many = 2048
	made := make([][]byte, min(many, n))
	progress := run.Progress
	run = run.Quiet() // progress is reported for all features, not for each block
	for first := 0; first < n; first += many {
		some := made[:min(many, n-first)]
		err := run.ForEach(len(some), 16, func(i int) { some[i] = feature(some[i][:0], first+i) })
		if err != nil {
			return err
		}
		for _, text := range some {
			if len(text) == 0 {
				continue
			}
			if f.count > 0 {
				text = append([]byte(",\n"), text...)
			}
			f.count++
			if _, err := f.out.Write(text); err != nil {
				return err
			}
		}
		progress(float64(first+len(some)) / float64(n))
	}
	return nil
}

// referenceName returns the name of a spatial reference for messages.
func referenceName(r georef.Reference) string {
	switch authority, code := r.Code(); {
	case code != "" && r.Name != "":
		return r.Name
	case code != "":
		return authority + ":" + code
	case r.WKT == "":
		return "none"
	case r.Name != "":
		return strconv.Quote(r.Name)
	}
	return "one without a code"
}
