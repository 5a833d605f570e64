package supervoxel

import "superpoint/partition/parallel"

// Color joins three attributes of every point, as PDAL gives them (Red, Green,
// Blue: 0 to 65535, or 0 to 255 in files that keep 8 bits), to rows of three
// values in [0, 1]. It returns nil when one is missing. Values are read as 8
// bits when none exceeds 255.
func Color(run parallel.Run, attributes map[string][]float32) ([][3]float32, error) {
	r, g, b := attributes["Red"], attributes["Green"], attributes["Blue"]
	if r == nil || g == nil || b == nil {
		return nil, nil
	}
	scale := float32(1. / 255)
	for i := range r {
		if max(r[i], g[i], b[i]) > 255 {
			scale = 1. / 65535
			break
		}
	}
	color := make([][3]float32, len(r))
	err := run.For(len(r), 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			color[i] = [3]float32{r[i] * scale, g[i] * scale, b[i] * scale}
		}
	})
	return color, err
}
