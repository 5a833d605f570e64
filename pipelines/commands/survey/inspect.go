// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
	"superpoint/pipelines/layers"
)

// inspectAll inspects the files and returns those with points. It names all files that cannot be used.
func inspectAll(h host.Host, references command.References, files []string, threads int,
	work string) (all []*inspected, err error) {
	each := make([]*inspected, len(files))
	run := parallel.Run{Context: h.Context(), Threads: threads,
		Report: func(f float64) { h.Progress("plan", f) }}
	err = layers.EachFile(run, files, func(k int) (err error) {
		each[k],
			err = inspect(h, references, files[k], work)
		return err
	})
	if err != nil {
		return nil, err
	}
	return withPoints(h, each)
}

// withPoints returns the files that have points.
func withPoints(h host.Host, files []*inspected) (all []*inspected, err error) {
	for _, i := range files {
		if i.Points > 0 {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: the input has no points; name another", files[0].Path)
	}
	for _, i := range files {
		if i.Points == 0 {
			h.Log(message.Warning, i.Path+": it has no points and is left out")
		}
	}
	return all, nil
}

// inspected is a source with the metadata that pdal reports without reading its points.
type inspected struct {
	plan.Source
	about       *pdalprocess.Schema
	reference   georef.Reference
	least, most [3]float64 // bounds in the header
}

// inspect returns the metadata of a file, with the content and the stamp that it had.
func inspect(h host.Host, references command.References, path, work string) (i *inspected, err error) {
	err = job.Pin(work, []string{path}, func(inputs []job.Pinned) (err error) {
		i, err = inspectPinned(h, references, path, inputs[0])
		return err
	})
	return i, err
}

func inspectPinned(h host.Host, references command.References, path string, input job.Pinned) (
	*inspected, error) {
	m, err := pdalprocess.Summarise(h.Context(), input.Read)
	if err == nil && m.Lattice == nil {
		err = errors.New(
			"surveys are of LAS, LAZ and COPC; convert it first, with pdal translate, extra_dims=all of " +
				"writers.las, and scale_x, scale_y and scale_z as fine as its coordinates")
	}
	if err != nil {
		return nil, err
	}
	b := m.Bounds
	i := &inspected{
		Source: plan.Source{Path: path, Identity: input.Identity, Points: m.Points,
			Bounds: [4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}},
		about: m,
		least: [3]float64{b.MinX, b.MinY, b.MinZ}, most: [3]float64{b.MaxX, b.MaxY, b.MaxZ},
	}
	if i.reference, err = m.Reference(h); err == nil {
		i.reference, i.SRS, err = references.Of(h, i.reference)
	}
	if err != nil {
		return nil, err
	}
	if !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) || math.IsInf(b.MaxX-b.MinX+b.MaxY-b.MinY, 0) {
		return nil, fmt.Errorf("its header has invalid bounds %v; rewrite the file with pdal translate",
			i.Bounds)
	}
	i.roundBounds()
	return i, nil
}

// roundBounds rounds the bounds to the scale and offset: they then are the bounds of its points, also if the
// header has the bounds of the coordinates before they were rounded. The origin of positions depends on them.
func (i *inspected) roundBounds() {
	for k := range 3 {
		i.least[k], i.most[k] = i.about.Lattice.Round(i.least[k], k), i.about.Lattice.Round(i.most[k], k)
	}
}

// compatible fails if sources cannot be one cloud: if two have the same content, or if spatial references
// differ, cannot be used, or are geographic.
func compatible(h host.Host, all []*inspected) error {
	path := map[string]string{}
	for _, s := range all {
		if other, twice := path[s.Content]; twice {
			return fmt.Errorf("%s and %s have the same points; leave one of them out", other, s.Path)
		}
		path[s.Content] = s.Path
	}
	var headers []*layers.Header
	for _, s := range all {
		headers = append(headers, &layers.Header{Path: s.Path, Reference: s.reference})
	}
	if err := layers.CheckReferences(h, headers); err != nil {
		return err
	}
	for _, s := range all {
		_, geographic, err := s.reference.Unit()
		if err != nil {
			return message.File(s.Path, err)
		}
		if geographic {
			return fmt.Errorf("%s is in degrees, and tiles are squares of metres; reproject the files "+
				"(filters.reprojection)", s.Path)
		}
	}
	return nil
}

// available returns the dimensions that all sources have, and the dimension of classes if
// any source has it; it is 0 in the others.
func available(all []*inspected, classes string) (names []string) {
	count := map[string]int{}
	for _, s := range all {
		for _, name := range s.about.Names() {
			count[name]++
			if (count[name] == len(all) || name == classes) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// headersOf returns what is known of the extents of sources.
func headersOf(all []*inspected) []*layers.Header {
	headers := make([]*layers.Header, len(all))
	for k, i := range all {
		headers[k] = &layers.Header{Path: i.Path, Bounds: *i.about.Bounds, Reference: i.reference}
	}
	return headers
}
