// Package render draws point clouds as pictures: several panels side by side of
// the same oblique parallel view, each coloured in its own way, with a depth
// buffer, discs as large as the density asks for, and shading by depth so that
// shapes read without normals (eye-dome lighting, Boucheny 2009). Lengths are in
// metres, angles in degrees. The same points give the same picture for any
// number of threads; what does not change with the order of points is left open
// only where two points lie at one depth in one pixel: the earlier one is seen.
package render

import (
	"errors"
	"fmt"
	"image"
	"math"

	"superpoint/partition/parallel"
)

// Panels draws the panels.
func Panels(run parallel.Run, s *Scene, c Camera, panels ...Panel) (*image.RGBA, error) {
	n := len(s.X)
	if len(s.Y) != n || len(s.Z) != n {
		return nil, fmt.Errorf("columns of %d, %d and %d coordinates", n, len(s.Y), len(s.Z))
	}
	if len(panels) == 0 {
		return nil, errors.New("no panels to draw")
	}
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("%d points: at most 2³¹ can be drawn", n)
	}
	if c.Width == 0 {
		c.Width = 960
	}
	if c.Width < 64 || c.Width > 8192 || c.Height < 0 || c.Height > 8192 {
		return nil, fmt.Errorf("panel of %d × %d pixels: want 64 to 8192", c.Width, c.Height)
	}
	if !(c.Zoom >= 0 && c.Zoom <= 1000) {
		return nil, fmt.Errorf("zoom %g: want a factor in (0, 1000]", c.Zoom)
	}
	if !(c.Tilt > 0 && c.Tilt <= 90) || math.IsNaN(c.Azimuth) || math.IsInf(c.Azimuth, 0) {
		return nil, fmt.Errorf("azimuth %g, tilt %g: want a tilt in (0, 90] degrees below the horizon", c.Azimuth, c.Tilt)
	}
	buffer, err := project(run, s, c)
	if err != nil {
		return nil, err
	}
	if err := buffer.shade(run, c.NoShade); err != nil {
		return nil, err
	}
	images := make([]*image.RGBA, len(panels))
	for i := range panels {
		if images[i], err = buffer.paint(run, &panels[i]); err != nil {
			return nil, err
		}
	}
	return layout(c, buffer.scale/finer, panels, images)
}
