package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// car is a saloon or van about 4.3 m long, along x.
func car(b *builder, r *Random, object uint16) {
	colors := [][3]uint8{{180, 30, 34}, {36, 60, 120}, {210, 212, 214}, {40, 42, 46}, {120, 126, 130}, {236, 236, 230},
		{60, 96, 70}}
	body := Part{Class: Car, Material: Paint, Object: object, Color: colors[r.Pick(len(colors))]}
	rect := func(x0, x1, half, z float64) [4]r3.Vector {
		return [4]r3.Vector{v(x0, -half, z), v(x1, -half, z), v(x1, half, z), v(x0, half, z)}
	}
	b.use(body)
	b.hull(rect(-2.1, 2.1, .85, .28), rect(-2.15, 2.1, .88, .62))
	if r.Chance(.2) { // van
		b.hull(rect(-2.15, 2.1, .88, .62), rect(-2.1, 1.2, .84, 1.95))
	} else {
		b.hull(rect(-2.15, 2.1, .88, .62), rect(-2.05, 1.9, .82, .92))
		b.use(Part{Class: Car, Material: Glass, Object: object})
		b.hull(rect(-1.75, .95, .8, .92), rect(-1.2, .3, .62, 1.4))
		b.use(body)
		b.hull(rect(-1.2, .3, .62, 1.4), rect(-1.15, .25, .58, 1.45))
	}
	b.use(Part{Class: Car, Material: Plastic, Object: object})
	for _, x := range []float64{-1.35, 1.35} {
		for _, y := range []float64{-.78, .62} {
			b.drum(v(x, y, .32), v(x, y+.18, .32), .32, 8)
		}
	}
}

// lamp is a street lamp 5.5 m high whose arm points to +y.
func lamp(b *builder, object uint16) {
	b.use(Part{Class: Pole, Material: Metal, Object: object})
	b.rod(v(0, 0, -.3), v(0, 0, 5.4), .09, .06, 8)
	b.rod(v(0, 0, 5.4), v(0, 1.1, 5.6), .05, .04, 6)
	b.box(-.12, .9, 5.52, .12, 1.5, 5.62)
}

// fence runs along x from 0 to length in 2 m fields over the ground that height
// gives: boards, or pickets every gap metres.
func fence(b *builder, r *Random, object uint16, length, gap float64, height func(x float64) float64) {
	board := r.Chance(.5)
	tall := r.Between(.9, 1.3)
	if board {
		tall += .5
	}
	b.use(Part{Class: Fence, Material: Wood, Object: object,
		Color: [3]uint8{clip(r.Between(110, 170)), clip(r.Between(84, 130)), clip(r.Between(60, 100))}})
	for x := 0.0; x < length-.1; x += 2 {
		end := math.Min(x+2, length)
		z0, z1 := height(x), height(end)
		b.box(x-.05, -.05, z0-.3, x+.05, .05, z0+tall+.08)
		if board {
			b.hull([4]r3.Vector{v(x, -.02, z0), v(end, -.02, z1), v(end, .02, z1), v(x, .02, z0)},
				[4]r3.Vector{v(x, -.02, z0+tall), v(end, -.02, z1+tall), v(end, .02, z1+tall), v(x, .02, z0+tall)})
			continue
		}
		for _, rail := range []float64{.25, .8} {
			b.quad(v(x, 0, z0+tall*rail), v(end, 0, z1+tall*rail), v(end, 0, z1+tall*rail+.09), v(x, 0, z0+tall*rail+.09))
		}
		for p := x; p < end; p += gap {
			z := z0 + (z1-z0)*(p-x)/(end-x)
			b.quad(v(p, .02, z+.05), v(p+.1, .02, z+.05), v(p+.1, .02, z+tall), v(p, .02, z+tall))
		}
	}
}

// bin is a refuse bin on its wheels.
func bin(b *builder, r *Random, object uint16) {
	colors := [][3]uint8{{60, 90, 60}, {60, 66, 80}, {150, 130, 40}}
	b.use(Part{Class: OtherItem, Material: Plastic, Object: object, Color: colors[r.Pick(len(colors))]})
	b.hull([4]r3.Vector{v(-.22, -.28, 0), v(.22, -.28, 0), v(.22, .28, 0), v(-.22, .28, 0)},
		[4]r3.Vector{v(-.29, -.36, 1.05), v(.29, -.36, 1.05), v(.29, .36, 1.05), v(-.29, .36, 1.05)})
}

// bale is a round hay bale lying along x.
func bale(b *builder, object uint16) {
	b.use(Part{Class: OtherItem, Material: Crop, Object: object, Color: [3]uint8{196, 172, 96}})
	b.drum(v(-.6, 0, .7), v(.6, 0, .7), .75, 14)
}
