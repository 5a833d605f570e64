// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
)

// octant is a node of the octree of an EPT (https://entwine.io/entwine-point-tile.html).
type octant struct{ depth, x, y, z int }

func (o octant) String() string { return fmt.Sprintf("%d-%d-%d-%d", o.depth, o.x, o.y, o.z) }

// eptTree reads the hierarchy of an EPT.
type eptTree struct {
	folder   string
	Points   int64
	DataType string
	SRS      struct{ WKT, Authority, Horizontal, Vertical string }

	found int64    // points of the nodes seen
	files []string // of nodes with points
}

// IsEPT reports whether a file is the root of an EPT.
func IsEPT(path string) bool { return filepath.Base(path) == EPT }

// inspectEPT finds the nodes of an EPT. It fails unless those that are reached from the root have all points, and their
// files are there: PDAL reads what it reaches, and waits forever without a root. It fails for tiles that are no LAZ:
// PDAL rounds integers with a scale, renames dimensions, and returns points in another order each time.
func inspectEPT(path string) (*eptTree, error) {
	t := &eptTree{folder: filepath.Dir(path)}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("it is not the %s of an Entwine point tile set: %w", EPT, err)
	}
	if t.DataType != "laszip" {
		return nil, fmt.Errorf("its tiles are of dataType '%s', whose points PDAL changes; make it again with dataType "+
			"laszip", t.DataType)
	}
	root := octant{}
	nodes, err := t.page(root)
	if err != nil {
		return nil, err
	}
	if _, is := nodes[root.String()]; !is {
		return nil, fmt.Errorf("its hierarchy has no root node %v, and so none of its %s can be read; copy or make it again",
			root, message.Count(t.Points, "point"))
	}
	if err := t.walk(root, nodes); err != nil {
		return nil, err
	}
	if t.found != t.Points {
		return nil, fmt.Errorf("its hierarchy has %s and %s has %s; tiles are missing: copy or make it again",
			message.Count(t.found, "point"), EPT, message.Thousands(t.Points))
	}
	return t, nil
}

// Tiles returns the LAZ files of an EPT with points, from its folder, in the order of the octree, and its spatial
// reference: WKT, or only the code of one.
func Tiles(path string) (files []string, wkt, code string, err error) {
	t, err := inspectEPT(path)
	if err != nil {
		return nil, "", "", err
	}
	if len(t.files) == 0 {
		return nil, "", "", errors.New("it has no points")
	}
	if code = t.SRS.Horizontal; code != "" {
		code = cmp.Or(t.SRS.Authority, "EPSG") + ":" + code
	}
	if t.SRS.Vertical != "" {
		code += "+" + t.SRS.Vertical
	}
	return t.files, t.SRS.WKT, code, nil
}

// page reads a file of the hierarchy.
func (t *eptTree) page(o octant) (nodes map[string]int64, err error) {
	name := filepath.Join("ept-hierarchy", o.String()+".json")
	text, err := os.ReadFile(filepath.Join(t.folder, name))
	if err == nil {
		err = json.Unmarshal(text, &nodes)
	}
	if err != nil {
		return nil, fmt.Errorf("its file %s cannot be read; copy or make it again: %w", name, err)
	}
	return nodes, nil
}

// walk counts the points of a node and of those below. nodes is the page of the node.
func (t *eptTree) walk(o octant, nodes map[string]int64) (err error) {
	const elsewhere = -1 // the node is the first of another page
	points, is := nodes[o.String()]
	if is && points == elsewhere {
		if nodes, err = t.page(o); err != nil {
			return err
		}
		points, is = nodes[o.String()]
	}
	if !is || points < 0 {
		return nil
	}
	if err := t.checkFile(o, points); err != nil {
		return err
	}
	t.found += points
	for k := range 8 {
		below := octant{o.depth + 1, 2*o.x + k&1, 2*o.y + k>>1&1, 2*o.z + k>>2}
		if err := t.walk(below, nodes); err != nil {
			return err
		}
	}
	return nil
}

// checkFile fails unless a node's file is there and has its points.
func (t *eptTree) checkFile(o octant, points int64) error {
	if points == 0 {
		return nil
	}
	name := filepath.Join("ept-data", o.String()+".laz")
	path := filepath.Join(t.folder, name)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("its file %s cannot be read; copy or make it again: %w", name, err)
	}
	t.files = append(t.files, name)
	if err := las.CheckWhole(path); err != nil {
		return fmt.Errorf("its file %s: %w", name, err)
	}
	has, _ := las.Points(path)
	if has != points {
		return fmt.Errorf("its file %s has %s and the hierarchy %s; copy or make it again", name,
			message.Count(has, "point"), message.Thousands(points))
	}
	return nil
}
