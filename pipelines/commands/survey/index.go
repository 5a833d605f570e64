// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
)

// Index is the file name of the virtual point cloud of the results.
const Index = "survey.vpc"

const (
	pointExtent   = "https://stac-extensions.github.io/pointcloud/v1.0.0/schema.json"
	projectExtent = "https://stac-extensions.github.io/projection/v1.1.0/schema.json"
)

// feature is a STAC item, a file of a virtual point cloud
// (https://github.com/PDAL/wrench/blob/main/vpc-spec.md).
type feature struct {
	Type       string           `json:"type"`
	Version    string           `json:"stac_version"`
	Extensions []string         `json:"stac_extensions"`
	ID         string           `json:"id"`
	Geometry   *polygon         `json:"geometry"` // in longitude and latitude; null without a reference system
	Box        []float64        `json:"bbox,omitempty"`
	Properties map[string]any   `json:"properties"`
	Links      []string         `json:"links"`
	Assets     map[string]asset `json:"assets"`
}

type polygon struct {
	Type        string         `json:"type"`
	Coordinates [][][2]float64 `json:"coordinates"`
}

type asset struct {
	Href  string   `json:"href"`
	Roles []string `json:"roles"`
}

// index writes a virtual point cloud of the results.
func (v *Survey) index(_ int, m *Mark) error {
	results, _, err := v.marks("write")
	if err != nil {
		return err
	}
	var all []feature
	var boxes [][6]float64
	for _, r := range results {
		f, box, err := v.feature(r.File)
		if err != nil {
			return err
		}
		all, boxes = append(all, f), append(boxes, box)
	}
	if v.plan.SRS != "" {
		corners, err := v.geographic(boxes)
		if err != nil {
			return err
		}
		for k := range all {
			all[k].locate(corners[4*k:4*k+4], boxes[k])
		}
	}
	path := v.Path("out", Index)
	to, err := v.output(path)
	if err != nil {
		return err
	}
	collection := struct {
		Type     string    `json:"type"`
		Features []feature `json:"features"`
	}{"FeatureCollection", all}
	if err := to.Write(jsonWriter(collection)); err != nil {
		return err
	}
	return v.addFile(m, path)
}

// feature returns the STAC item of a result and its bounds: west, south, lowest, east,
// north, highest.
func (v *Survey) feature(name string) (f feature, box [6]float64, err error) {
	l, err := las.Read(v.Path("out", name))
	if err != nil {
		return f, box, err
	}
	least, most := l.Bounds()
	copy(box[copy(box[:], least[:]):], most[:])
	encoding := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	f = feature{Type: "Feature", Version: "1.0.0", Extensions: []string{pointExtent, projectExtent}, ID: name,
		Properties: map[string]any{"datetime": l.Created().Format(time.RFC3339), "pc:count": l.Count, "pc:type": "lidar",
			"pc:encoding": encoding, "proj:bbox": box},
		Links: []string{}, Assets: map[string]asset{"data": {"./" + name, []string{"data"}}}}
	if v.plan.SRS != "" {
		f.Properties["proj:wkt2"] = v.plan.SRS
	}
	return f, box, nil
}

// geographic returns longitude and latitude of the four corners of each box.
func (v *Survey) geographic(boxes [][6]float64) (corners [][2]float64, err error) {
	work, clean, err := atomicfile.Workspace(v.Path("index"))
	if err != nil {
		return nil, err
	}
	defer clean()
	const from, to = "from.txt", "to.txt"
	err = atomicfile.Write(filepath.Join(work, from), func(w io.Writer) error {
		_, err := io.WriteString(w, "X,Y,Z\n")
		for _, b := range boxes {
			for _, at := range [][2]int{{0, 1}, {3, 1}, {3, 4}, {0, 4}} {
				if err == nil {
					_, err = fmt.Fprintf(w, "%v,%v,0\n", b[at[0]], b[at[1]])
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = pdalprocess.Process{Folder: work}.Pipeline(v.host.Context(), []pdalprocess.Stage{
		{"type": "readers.text", "filename": from, "override_srs": v.plan.SRS},
		{"type": "filters.reprojection", "out_srs": "EPSG:4326"},
		{"type": "writers.text", "filename": to, "order": "X,Y,Z", "keep_unspecified": "false", "precision": "7",
			"quote_header": "false"}})
	if err != nil {
		return nil, err
	}
	c, err := v.host.Read(filepath.Join(work, to), nil)
	if err == nil && len(c.X) != 4*len(boxes) {
		err = fmt.Errorf("%d of %d corners in longitude and latitude", len(c.X), 4*len(boxes))
	}
	if err != nil {
		return nil, err
	}
	for i := range c.X {
		corners = append(corners, [2]float64{c.X[i], c.Y[i]})
	}
	return corners, nil
}

// locate sets geometry and box from the corners in longitude and latitude.
func (f *feature) locate(c [][2]float64, box [6]float64) {
	f.Geometry = &polygon{"Polygon", [][][2]float64{{c[0], c[1], c[2], c[3], c[0]}}}
	f.Box = []float64{min(c[0][0], c[3][0]), min(c[0][1], c[1][1]), box[2], max(c[1][0], c[2][0]), max(c[2][1], c[3][1]),
		box[5]}
}
