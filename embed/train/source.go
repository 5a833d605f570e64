// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"fmt"
	"path"
	"slices"

	"superpoint/embed"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/partition/neighbor"
)

// source is what clouds are read with.
type source struct {
	host      Host
	run       parallel.Run
	truth     string // dimension with class codes
	instances string // dimension with object numbers, for every file; "" leaves it to the groups
}

// each calls read for every file. With skip it leaves files out that cannot be used, and names them.
func (s *source) each(files []string, skip bool, read func(file string) (*labelled, error)) (all []*labelled,
	err error) {
	for i, file := range files {
		s.host.Progress("reading", float64(i)/float64(len(files)))
		t, err := read(file)
		switch {
		case err == nil:
			all = append(all, t)
		case !skip || s.run.Err() != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		default:
			s.host.Log(fmt.Sprintf("left out: %s: %v", file, err))
		}
	}
	return all, nil
}

// read reads and prepares one file. It keeps one of thin points on average, all if thin is 0.
func (s *source) read(file string, r *Recipe, thin float64) (*labelled, error) {
	group := r.groupOf(file)
	label := s.truth
	if s.instances != "" {
		label = s.instances
	} else if group >= 0 && r.Groups[group].Instances != "" {
		label = r.Groups[group].Instances
	}
	t := &labelled{name: path.Base(file), group: group, instance: label != s.truth}
	card := r.Card()
	attributes := card.Requires()[3:]
	required := append(slices.Clone(attributes), label)
	columns, err := s.host.Read(file, required)
	if err != nil {
		return nil, err
	}
	for _, d := range required {
		if len(columns.Dimensions[d]) != len(columns.X) {
			return nil, fmt.Errorf("no dimension %s; the file has %v", d, columns.Available)
		}
	}
	if r.Voxel > 0 { // one point is left of every cube
		all := tile.Points{X: &columns.X, Y: &columns.Y, Z: &columns.Z, Values: columns.Dimensions}
		if err := tile.Thin(all, r.Voxel); err != nil {
			return nil, err
		}
	}
	if thin > 0 {
		columns.thin(thin)
	}
	if len(columns.X) < 2 {
		return nil, fmt.Errorf("at least 2 points are needed, and it has %d", len(columns.X))
	}
	if t.cloud, err = neighbor.New(columns.X, columns.Y, columns.Z, s.run); err != nil {
		return nil, err
	}
	if t.lists, err = t.cloud.Nearest(card.Inputs.Neighbors, s.run); err != nil {
		return nil, err
	}
	t.input = &embed.Input{Cloud: t.cloud, Neighbors: t.lists, Attributes: map[string][]float32{}}
	for _, d := range attributes {
		t.input.Attributes[d] = reorder(columns.Dimensions[d], t.cloud.Order)
	}
	if t.channels, err = embed.NewInputs(s.run, card, t.input); err != nil {
		return nil, err
	}
	if err := t.join(r.lossJoins(t), s.run); err != nil {
		return nil, err
	}
	if t.instance {
		t.class, err = labels(label, columns.Dimensions[label])
	} else {
		t.class, err = r.Truth.classes(label, columns.Dimensions[label])
	}
	if err != nil {
		return nil, err
	}
	t.class = arrays.Gather(t.class, t.cloud.Order)
	t.object = objects(t.graph, t.class, t.instance)
	return t, nil
}
