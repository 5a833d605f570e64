// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"image"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
)

// finer is the number of buffer pixels per picture pixel in each direction, which are averaged for
// antialiasing.
const finer = 2

// buffer holds the nearest point of every pixel.
type buffer struct {
	width, height int       // buffer pixels
	scale         float64   // buffer pixels per metre
	front         []int32   // point, −1 for none
	depth         []float32 // m, away from the viewer
	light         []float32 // of the shading, in (0, 1]
}

// axes returns the unit vectors of the picture: right, up, and away.
func (c *Camera) axes() (right, up, away [3]float64) {
	sa, ca := math.Sincos(c.Azimuth * math.Pi / 180)
	st, ct := math.Sincos(c.Tilt * math.Pi / 180)
	return [3]float64{ca, -sa, 0}, [3]float64{sa * st, ca * st, ct}, [3]float64{sa * ct, ca * ct, -st}
}

func inner(a [3]float64, x, y, z float64) float64 { return a[0]*x + a[1]*y + a[2]*z }

// viewed has the positions of points along the axes of the picture, from a point of the cloud.
type viewed struct{ right, up, away []float32 }

// view returns the positions of points as a camera sees them.
func view(run parallel.Run, s *Columns, c Camera) (viewed, error) {
	n := len(s.X)
	p := viewed{make([]float32, n), make([]float32, n), make([]float32, n)}
	origin := originOf(s)
	right, up, away := c.axes()
	err := run.ForEach(n, 1<<16, func(i int) {
		x := s.X[i] - origin[0]
		y := s.Y[i] - origin[1]
		z := s.Z[i] - origin[2]
		p.right[i] = float32(inner(right, x, y, z))
		p.up[i] = float32(inner(up, x, y, z))
		p.away[i] = float32(inner(away, x, y, z))
	})
	return p, err
}

// project frames the cloud and fills the depth buffer.
func project(run parallel.Run, s *Columns, c Camera) (*buffer, error) {
	p, err := view(run, s, c)
	if err != nil {
		return nil, err
	}
	left, right := extent(p.right)
	bottom, top := extent(p.up)
	b := newBuffer(c.Width*finer, float64(right-left), float64(top-bottom))
	middle := float64(left+right) / 2
	height := float64(bottom+top) / 2
	at := func(i int) (x, y float64) {
		x = (float64(p.right[i])-middle)*b.scale + float64(b.width)/2
		y = float64(b.height)/2 - (float64(p.up[i])-height)*b.scale
		return x, y
	}
	n := len(s.X)
	b.splat(n, p.away, at, b.radius(n, at))
	return b, nil
}

// originOf returns the first point from the middle of the cloud on whose coordinates are finite.
func originOf(s *Columns) [3]float64 {
	n := len(s.X)
	for i := n / 2; i < n; i++ {
		if finite(s.X[i]) && finite(s.Y[i]) && finite(s.Z[i]) {
			return [3]float64{s.X[i], s.Y[i], s.Z[i]}
		}
	}
	return [3]float64{}
}

// newBuffer returns an empty buffer of a width for a cloud that is wide × high metres on the screen. Clouds
// that are higher than 9/8 of their width are scaled down.
func newBuffer(width int, wide, high float64) *buffer {
	scale := .97 * float64(width) / math.Max(wide, 1e-6)
	height := int(math.Max(high*scale/.96, .25*float64(width)))
	if most := width * 9 / 8; height > most {
		scale *= float64(most) / float64(height)
		height = most
	}
	height = (height + finer - 1) / finer * finer
	b := &buffer{width: width, height: height, scale: scale}
	b.front = slices.Repeat([]int32{-1}, width*height)
	b.depth = slices.Repeat([]float32{float32(math.Inf(1))}, width*height)
	return b
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// extent returns the range of all but the most extreme values, so that outliers do not change the
// scale.
func extent(values []float32) (low, high float32) {
	sample := sorted(values, 200_000)
	if len(sample) == 0 {
		return 0, 1
	}
	cut := len(sample) / 2000
	low, high = sample[cut], sample[len(sample)-1-cut]
	margin := (high - low) * .01
	return low - margin, high + margin
}

// sorted returns at most about twice as many finite values as wanted, evenly sampled, ascending.
func sorted[T float32 | float64](values []T, wanted int) (sample []T) {
	step := max(1, len(values)/wanted)
	for i := 0; i < len(values); i += step {
		if v := values[i]; finite(float64(v)) {
			sample = append(sample, v)
		}
	}
	slices.Sort(sample)
	return sample
}

// radius returns the size of a point in buffer pixels, such that points cover the occupied cells of a
// coarse grid.
func (b *buffer) radius(n int, at func(int) (x, y float64)) float64 {
	const cell = 16
	columns := b.width/cell + 1
	used := make([]bool, columns*(b.height/cell+1))
	count, inside := 0, 0
	for i := range n {
		x, y := at(i)
		if x >= 0 && y >= 0 && x < float64(b.width) && y < float64(b.height) {
			inside++
			k := int(y)/cell*columns + int(x)/cell
			if !used[k] {
				used[k] = true
				count++
			}
		}
	}
	apart := math.Sqrt(float64(count*cell*cell) / math.Max(1, float64(inside)))
	return math.Min(9, math.Max(1, apart*1.4))
}

// discRow is a row of the pixels of a disc.
type discRow struct {
	down, reach int       // from the centre; the row has the pixels −reach to reach
	deeper      []float32 // of each pixel: how much deeper than the centre it is
}

// disc returns the rows of a disc in pixels. Its rim is deeper than its centre, so that overlapping discs
// meet halfway.
func (b *buffer) disc(radius float64) (rows []discRow) {
	reach := int(math.Ceil(radius))
	for dy := -reach; dy <= reach; dy++ {
		row := discRow{down: dy, reach: -1}
		for dx := -reach; dx <= reach; dx++ {
			if math.Hypot(float64(dx), float64(dy)) <= radius {
				row.reach = max(row.reach, dx)
				row.deeper = append(row.deeper, float32(float64(dx*dx+dy*dy)*.03/b.scale))
			}
		}
		if row.reach >= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// splat draws every point as a disc, the nearest in front.
func (b *buffer) splat(n int, depth []float32, at func(int) (x, y float64), radius float64) {
	disc := b.disc(radius)
	for i := range n {
		fx, fy := at(i)
		if !(fx > -16 && fy > -16 && fx < float64(b.width+16) && fy < float64(b.height+16)) {
			continue
		}
		x, y := int(math.Floor(fx)), int(math.Floor(fy))
		for k := range disc {
			b.draw(&disc[k], x, y, depth[i], int32(i))
		}
	}
}

// draw draws a row of the disc of a point at (x, y).
func (b *buffer) draw(row *discRow, x, y int, depth float32, point int32) {
	y += row.down
	from := max(0, x-row.reach)
	to := min(b.width, x+row.reach+1)
	if y < 0 || y >= b.height || from >= to {
		return
	}
	before := b.depth[y*b.width+from : y*b.width+to]
	front := b.front[y*b.width+from : y*b.width+to]
	front = front[:len(before)]
	deeper := row.deeper[from-(x-row.reach):]
	deeper = deeper[:len(before)]
	for k, rim := range deeper {
		if away := depth + rim; away < before[k] {
			before[k] = away
			front[k] = point
		}
	}
}

// paper is the colour of the background.
const paper = 250

// paint colours the buffer for one panel and averages it to the picture's pixels.
func (b *buffer) paint(run parallel.Run, p *Panel) (*image.RGBA, error) {
	out := image.NewRGBA(image.Rect(0, 0, b.width/finer, b.height/finer))
	err := run.ForEach(out.Rect.Dy(), 8, func(y int) {
		for x := range out.Rect.Dx() {
			var sum [3]float32
			for k := range finer * finer {
				c := b.pixel(x*finer+k%finer, y*finer+k/finer, p)
				for a := range 3 {
					sum[a] += c[a]
				}
			}
			at := out.PixOffset(x, y)
			for a := range 3 {
				out.Pix[at+a] = uint8(sum[a]/(finer*finer) + .5)
			}
			out.Pix[at+3] = 255
		}
	})
	return out, err
}

func (b *buffer) pixel(x, y int, p *Panel) [3]float32 {
	k := y*b.width + x
	i := b.front[k]
	if i < 0 {
		return [3]float32{paper, paper, paper}
	}
	c := p.Color(int(i))
	light := b.light[k]
	if p.Edges != nil && b.onBoundary(x, y, p.Edges) {
		light *= .45
	}
	return [3]float32{float32(c[0]) * light, float32(c[1]) * light, float32(c[2]) * light}
}

// onBoundary reports whether the pixel to the right or below shows another group on the same surface.
func (b *buffer) onBoundary(x, y int, group func(int) uint32) bool {
	k := y*b.width + x
	mine := group(int(b.front[k]))
	near := float32(6 / b.scale)
	other := func(x, y int) bool {
		if x >= b.width || y >= b.height {
			return false
		}
		n := y*b.width + x
		gap := b.depth[k] - b.depth[n]
		return b.front[n] >= 0 && gap < near && gap > -near && group(int(b.front[n])) != mine
	}
	return other(x+1, y) || other(x, y+1)
}
