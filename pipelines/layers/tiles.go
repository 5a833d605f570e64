// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// Header is what the header of a tile says.
type Header struct {
	Path      string
	Bounds    pdalprocess.Bounds
	Reference georef.Reference
}

// CheckTiles fails before any work unless all files have one spatial reference, and other points each. It
// warns of tiles that overlap.
func CheckTiles(h host.Host, references host.References, files []string) error {
	all, err := ReadHeaders(h, references, files)
	if err != nil {
		return err
	}
	seen := map[string]string{}
	for _, header := range all {
		content, err := job.Content(header.Path)
		if other := seen[content]; err == nil && other != "" {
			return fmt.Errorf("%s and %s have the same points; leave one of them out", other, header.Path)
		}
		seen[content] = header.Path
	}
	WarnOfOverlaps(h, all)
	return nil
}

// WarnOfOverlaps warns of files with common points.
func WarnOfOverlaps(h host.Host, all []*Header) {
	if text := overlaps(all); text != "" {
		h.Log(message.Warning, text)
	}
}

// ReadHeaders returns the headers of several files. It fails if their spatial references differ, or if one
// cannot be read. Files without points are left out; so are all without a pdal, as in the wheel. A format
// without a header has the bounds 0.
func ReadHeaders(h host.Host, references host.References, files []string) ([]*Header, error) {
	if len(files) < 2 {
		return nil, nil
	}
	all := make([]*Header, len(files))
	run := parallel.Run{Context: h.Context(),
		Report: func(f float64) { h.Progress("checking tiles", f) }}
	err := EachFile(run, files, func(k int) error {
		s, err := pdalprocess.Summarise(h.Context(), files[k])
		if errors.Is(err, pdalprocess.ErrNoProgram) {
			return nil
		}
		if err != nil || s.Points == 0 {
			return err
		}
		reference, err := s.Reference(h)
		if err == nil {
			reference, _, err = references.Of(h, reference)
		}
		all[k] = &Header{Path: files[k], Reference: reference}
		if s.Bounds != nil {
			all[k].Bounds = *s.Bounds
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(h *Header) bool { return h == nil })
	return all, CheckReferences(h, all)
}

// CheckReferences fails unless all files have one spatial reference. It names all that have another than the
// first file, so that one run names all that is to be corrected.
func CheckReferences(h host.Host, all []*Header) error {
	const most = 5 // names
	var first error
	var others []string
	for _, header := range all {
		err := CheckReference(h, header.Path, header.Reference, all[0].Path, all[0].Reference)
		switch {
		case err == nil:
		case first == nil:
			first = err
		default:
			others = append(others,
				fmt.Sprintf("%s (%s)", filepath.Base(header.Path), referenceName(header.Reference)))
		}
	}
	if len(others) == 0 {
		return first
	}
	names := strings.Join(others[:min(most, len(others))], ", ")
	if len(others) > most {
		names += ", …"
	}
	return fmt.Errorf("%w; the same in %s: %s", first, message.Count(len(others), "further file"), names)
}

// EachFile calls do with the number of every file, several at once. It names all files that fail.
func EachFile(run parallel.Run, files []string, do func(k int) error) error {
	failed := make([]error, len(files))
	err := run.ForEach(len(files), 1, func(k int) {
		if err := do(k); err != nil {
			failed[k] = message.File(files[k], err)
		}
	})
	if err != nil {
		return err
	}
	broken := &FilesError{All: len(files)}
	for k, err := range failed {
		if err != nil {
			broken.Files = append(broken.Files, files[k])
			broken.Errors = append(broken.Errors, err)
		}
	}
	if len(broken.Files) == 0 {
		return nil
	}
	return broken
}

// FilesError is the error about some of several files.
type FilesError struct {
	Files  []string // that failed
	Errors []error  // of each
	All    int      // files
}

func (e *FilesError) Error() string {
	text := errors.Join(e.Errors...).Error()
	if len(e.Files) == 1 {
		return text
	}
	return fmt.Sprintf("%d of %d files cannot be read; correct them or leave them out:\n%s",
		len(e.Files), e.All, text)
}

func (e *FilesError) Unwrap() []error { return e.Errors }

// CheckReference fails if a file has another spatial reference than the first file.
func CheckReference(h host.Host, path string, reference georef.Reference, first string,
	other georef.Reference) error {
	if same, err := h.Same(reference, other); same || err != nil {
		return err
	}
	how := "reproject one of them first with filters.reprojection"
	if reference.WKT == "" || other.WKT == "" {
		how = "set the missing one with --default_srs"
	}
	return fmt.Errorf("%s: its spatial reference (%s) is not that of %s (%s); %s", path,
		referenceName(reference), first,
		referenceName(other), how)
}

// sliver is the width in metres up to which tiles may overlap: their borders are rounded.
const sliver = 1.0

// overlaps describes the largest overlap of two tiles; "" if none is wider than a sliver.
func overlaps(all []*Header) string {
	slices.SortFunc(all, func(a, b *Header) int { return cmp.Compare(a.Bounds.MinX, b.Bounds.MinX) })
	text := ""
	largest := 0.0
	pairs := 0
	var covered, twice float64 // square metres
	for k, a := range all {
		scale, err := a.Reference.Scale(nil)
		if err != nil {
			return "" // is an error when the file is read
		}
		metres := scale((a.Bounds.MinY + a.Bounds.MaxY) / 2)
		covered += metres[0] * (a.Bounds.MaxX - a.Bounds.MinX) * metres[1] * (a.Bounds.MaxY - a.Bounds.MinY)
		for _, b := range all[k+1:] {
			if b.Bounds.MinX > a.Bounds.MaxX {
				break
			}
			wide := metres[0] * (math.Min(a.Bounds.MaxX, b.Bounds.MaxX) - b.Bounds.MinX)
			high := metres[1] * (math.Min(a.Bounds.MaxY, b.Bounds.MaxY) - math.Max(a.Bounds.MinY,
				b.Bounds.MinY))
			if math.Min(wide, high) <= sliver {
				continue
			}
			twice += 2 * wide * high
			if pairs++; wide*high > largest {
				largest = wide * high
				text = fmt.Sprintf("%s and %s overlap by %.0f × %.0f m", a.Path, b.Path, wide, high)
			}
		}
	}
	if pairs > 1 {
		text += " (and " + message.Count(pairs-1, "other pair") + ")"
	}
	if text == "" {
		return ""
	}
	return text + fmt.Sprintf(" (%.0f %% of the area of all)", 100*math.Min(1, twice/covered)) +
		"; points in both are counted twice, and divide superpoints: leave out buffers, or cut tiles at " +
		"common borders (pdal tile), unless only their bounding boxes overlap"
}
