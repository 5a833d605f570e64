// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// tileHeader is what the header of a tile says.
type tileHeader struct {
	path      string
	bounds    pdalprocess.Bounds
	reference georef.Reference
}

// CheckTiles fails before any work unless all files have one spatial reference, and other points each. It warns of
// tiles that overlap.
func CheckTiles(host command.Host, files []string) error {
	all, err := ReadHeaders(host, files)
	if err != nil {
		return err
	}
	seen := map[string]string{}
	for _, h := range all {
		content, err := sources.Identity(h.path)
		if other := seen[content]; err == nil && other != "" {
			return fmt.Errorf("%s and %s have the same points; leave one of them out", other, h.path)
		}
		seen[content] = h.path
	}
	warnOfOverlaps(host, all)
	return nil
}

// WarnOfOverlaps warns of files with common points, if they have one spatial reference.
func WarnOfOverlaps(host command.Host, files []string) {
	if all, err := ReadHeaders(host, files); err == nil {
		warnOfOverlaps(host, all)
	}
}

func warnOfOverlaps(host command.Host, all []*tileHeader) {
	if text := overlaps(all); text != "" {
		host.Log(filter.LogWarning, text)
	}
}

// ReadHeaders returns the headers of several files. It fails if their spatial references differ. Files without a
// readable header are left out; they are checked when they are read.
func ReadHeaders(host command.Host, files []string) ([]*tileHeader, error) {
	if len(files) < 2 {
		return nil, nil
	}
	all := make([]*tileHeader, len(files))
	run := parallel.Run{Context: host.Context(), Report: func(f float64) { host.Progress("checking tiles", f) }}
	err := run.For(len(files), 1, func(k, _ int) {
		s, err := pdalprocess.Summarise(host.Context(), files[k])
		if err != nil || s.Bounds == nil || s.Points == 0 {
			return
		}
		reference, err := s.Reference(host)
		if err == nil {
			reference, _, err = command.ReferenceOf(host, reference)
		}
		if err == nil {
			all[k] = &tileHeader{files[k], *s.Bounds, reference}
		}
	})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(h *tileHeader) bool { return h == nil })
	for _, h := range all {
		if err := CheckReference(host, h.path, h.reference, all[0].path, all[0].reference); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// CheckReference fails if a file's spatial reference is not that of the first file.
func CheckReference(
	host command.Host,
	path string,
	reference georef.Reference,
	first string,
	other georef.Reference,
) error {
	if same, err := host.Same(reference, other); same || err != nil {
		return err
	}
	how := "reproject one of them first with filters.reprojection"
	if reference.WKT == "" || other.WKT == "" {
		how = "set the missing one with --default_srs"
	}
	return fmt.Errorf("%s: its spatial reference (%s) is not that of %s (%s); %s", path, referenceName(reference), first,
		referenceName(other), how)
}

// sliver is the width in metres up to which tiles may overlap: their borders are rounded.
const sliver = 1.0

// overlaps describes the largest overlap of two tiles; "" if none is wider than a sliver.
func overlaps(all []*tileHeader) string {
	slices.SortFunc(all, func(a, b *tileHeader) int { return cmp.Compare(a.bounds.MinX, b.bounds.MinX) })
	text, largest, pairs := "", 0.0, 0
	var covered, twice float64 // square metres
	for k, a := range all {
		scale, err := a.reference.Scale(nil)
		if err != nil {
			return "" // is an error when the file is read
		}
		metres := scale((a.bounds.MinY + a.bounds.MaxY) / 2)
		covered += metres[0] * (a.bounds.MaxX - a.bounds.MinX) * metres[1] * (a.bounds.MaxY - a.bounds.MinY)
		for _, b := range all[k+1:] {
			if b.bounds.MinX > a.bounds.MaxX {
				break
			}
			wide := metres[0] * (math.Min(a.bounds.MaxX, b.bounds.MaxX) - b.bounds.MinX)
			high := metres[1] * (math.Min(a.bounds.MaxY, b.bounds.MaxY) - math.Max(a.bounds.MinY, b.bounds.MinY))
			if math.Min(wide, high) <= sliver {
				continue
			}
			twice += 2 * wide * high
			if pairs++; wide*high > largest {
				largest = wide * high
				text = fmt.Sprintf("%s and %s overlap by %.0f × %.0f m", a.path, b.path, wide, high)
			}
		}
	}
	if pairs > 1 {
		text += ", and so do " + message.Count(pairs-1, "other pair")
	}
	if text == "" {
		return ""
	}
	return text + fmt.Sprintf(" (%.0f %% of the area of all)", 100*math.Min(1, twice/covered)) +
		"; points in both are counted twice, and divide superpoints: leave out buffers, or cut tiles at common borders " +
		"(pdal tile), unless only their bounding boxes overlap"
}
