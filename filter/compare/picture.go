package compare

import (
	"fmt"
	"math"
	"slices"

	"superpoint/filter"
)

// picture is one picture of a scene.
type picture struct {
	set, title string
	png        []byte
}

// paint makes the paper's row of pictures: the input, the true objects, the
// embedding, and the segments of every system.
func (c *Config) paint(run filter.Run, host Host, w *filter.Workspace, in *Input, paint Paint) ([]picture, error) {
	var all []picture
	add := func(title string, color [][3]uint8) error {
		content, err := paint(w.View, color)
		if err == nil {
			all = append(all, picture{in.Set, title, content})
		}
		return err
	}
	if err := add("input", inputColor(w.View)); err != nil {
		return nil, err
	}
	if err := add("true classes", labelColor(w.View.Dimensions[or(c.Instances, c.Truth)])); err != nil {
		return nil, err
	}
	for i := range c.Systems {
		s, _, err := c.segment(run, host, w, trial{&c.Systems[i], "target_size", c.Picture})
		if err != nil {
			host.Log(filter.LogWarning, fmt.Sprintf("no picture of %s: %v", c.Systems[i].Name, err))
			continue
		}
		if s.Dim > 0 && i == 0 {
			if err := add("embedding, "+c.Systems[i].Name, embeddingColor(s)); err != nil {
				return nil, err
			}
		}
		if err := add(fmt.Sprintf("%s (%d segments)", c.Systems[i].Name, s.Count), idColor(s.ID)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// inputColor shows colours if the view has them, else height.
func inputColor(v *filter.View) [][3]uint8 {
	color := make([][3]uint8, v.Len())
	r, g, b := v.Dimensions["Red"], v.Dimensions["Green"], v.Dimensions["Blue"]
	if r != nil && g != nil && b != nil && slices.Max(r) > 0 {
		scale := 1.0
		if max(slices.Max(r), slices.Max(g), slices.Max(b)) > math.MaxUint8 {
			scale = 1.0 / 257
		}
		for i := range color {
			color[i] = [3]uint8{uint8(r[i] * scale), uint8(g[i] * scale), uint8(b[i] * scale)}
		}
		return color
	}
	low, high := slices.Min(v.Z), slices.Max(v.Z)
	for i, z := range v.Z {
		t := (z - low) / math.Max(high-low, 1e-9)
		color[i] = [3]uint8{uint8(60 + 180*t), uint8(90 + 120*t), uint8(200 - 120*t)}
	}
	return color
}

// labelColor gives every label a colour of its own; unlabelled is grey.
func labelColor(labels []float64) [][3]uint8 {
	color := make([][3]uint8, len(labels))
	for i, v := range labels {
		color[i] = [3]uint8{130, 130, 130}
		if v > 0 {
			color[i] = spread(uint32(v))
		}
	}
	return color
}

func idColor(id []uint32) [][3]uint8 {
	color := make([][3]uint8, len(id))
	for i, v := range id {
		color[i] = spread(v)
	}
	return color
}

// spread returns a bright colour that differs from those of nearby numbers: hue
// by the golden ratio (Knuth, TAOCP 3, 6.4), two shades.
func spread(v uint32) [3]uint8 {
	hue := float64(v*2654435769) / (1 << 32) * 6
	light := 1 - 0.3*float64(v%3)/2
	channel := func(shift float64) uint8 {
		t := math.Mod(hue+shift, 6)
		return uint8(255 * light * (0.15 + 0.85*min(max(math.Abs(t-3)-1, 0), 1)))
	}
	return [3]uint8{channel(0), channel(4), channel(2)}
}

// embeddingColor shows the first three columns from [−1, 1].
func embeddingColor(s *filter.Segmentation) [][3]uint8 {
	rows := s.Embedding()
	color := make([][3]uint8, len(s.ID))
	for i := range color {
		for k := range min(3, s.Dim) {
			color[i][k] = uint8(min(max((rows[i*s.Dim+k]+1)/2*255, 0), 255))
		}
	}
	return color
}
