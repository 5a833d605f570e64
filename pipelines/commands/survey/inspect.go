// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"math"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/lasformat"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// inspected has the metadata that pdal reports of a file without reading its points.
type inspected struct {
	source
	reference  georef.Reference
	dimensions []las.Column
	las        bool
	gps        string // time system of GpsTime; "" if unknown
	format     int
	scale      [3]float64
	offset     [3]float64
	least      [3]float64 // bounds in the header
	most       [3]float64
}

const (
	gpsWeek     = "GPS week time"
	gpsStandard = "adjusted standard GPS time"
)

// inspect returns the metadata of a file.
func inspect(h host.Host, path string) (*inspected, error) {
	m, err := pdalprocess.Summarise(h.Context(), path)
	if err == nil && m.Bounds == nil {
		err = errors.New("its format has no header with the number and bounds of its points; convert it to LAS or LAZ " +
			"first, with pdal translate")
	}
	if err != nil {
		return nil, err
	}
	b := m.Bounds
	i := &inspected{
		source: source{Path: path, Points: m.Points, Bounds: [4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}},
		least:  [3]float64{b.MinX, b.MinY, b.MinZ}, most: [3]float64{b.MaxX, b.MaxY, b.MaxZ},
		las: m.Reader == "readers.las" || m.Reader == "readers.copc",
	}
	if i.Stamp, err = sources.Stamp(path); err != nil {
		return nil, err
	}
	if i.Content, err = sources.Identity(path); err != nil {
		return nil, err
	}
	if i.reference, err = m.Reference(h); err == nil {
		i.reference, i.SRS, err = command.ReferenceOf(h, i.reference)
	}
	if err != nil {
		return nil, err
	}
	i.dimensions = m.Dimensions
	if !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) || math.IsInf(b.MaxX-b.MinX+b.MaxY-b.MinY, 0) {
		return nil, fmt.Errorf("its header has invalid bounds %v; rewrite the file with pdal translate", i.Bounds)
	}
	if i.las {
		i.scale, i.offset = m.Lattice.Scale, m.Lattice.Offset
	}
	i.header(m)
	i.roundBounds()
	return i, nil
}

// header sets point format and time system from the header of a LAS file. Other files get format −1, to be chosen
// from their dimensions.
func (i *inspected) header(s *pdalprocess.Schema) {
	number := func(key string) float64 { v, _ := s.Number(key); return v }
	i.format = -1
	if !i.las {
		return
	}
	i.format = int(number("dataformat_id"))
	if !lasformat.Holds(i.format, "GpsTime") {
		return
	}
	if i.gps = gpsWeek; int(number("global_encoding"))&1 != 0 {
		i.gps = gpsStandard
	}
}

// roundBounds rounds the bounds of a LAS file to its scale and offset: they are then those of its points, also if
// the header has the bounds of the coordinates before they were rounded. The origin of positions depends on them.
func (i *inspected) roundBounds() {
	if !i.las {
		return
	}
	for k, scale := range i.scale {
		for _, v := range []*float64{&i.least[k], &i.most[k]} {
			*v = math.Round((*v-i.offset[k])/scale)*scale + i.offset[k]
		}
	}
}
