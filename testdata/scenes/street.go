// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// car is a saloon or van about 4.3 m long, along x.
func car(b *builder, r *Random, object uint16) {
	colors := [][3]uint8{{180, 30, 34}, {36, 60, 120}, {210, 212, 214}, {40, 42, 46}, {120, 126, 130},
		{236, 236, 230},
		{60, 96, 70}}
	body := Part{Class: Car, Material: Paint, Object: object, Color: colors[r.Pick(len(colors))]}
	rect := func(x0, x1, half, z float64) [4]r3.Vector { return level(x0, -half, x1, half, z) }
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
				[4]r3.Vector{v(x, -.02, z0+tall), v(end, -.02, z1+tall), v(end, .02, z1+tall),
					v(x, .02, z0+tall)})
			continue
		}
		for _, rail := range []float64{.25, .8} {
			b.quad(v(x, 0, z0+tall*rail), v(end, 0, z1+tall*rail), v(end, 0, z1+tall*rail+.09),
				v(x, 0, z0+tall*rail+.09))
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
	b.hull(level(-.22, -.28, .22, .28, 0), level(-.29, -.36, .29, .36, 1.05))
}

// bale is a round hay bale lying along x.
func bale(b *builder, object uint16) {
	b.use(Part{Class: OtherItem, Material: Crop, Object: object, Color: [3]uint8{196, 172, 96}})
	b.drum(v(-.6, 0, .7), v(.6, 0, .7), .75, 14)
}

// sign is a traffic sign: a plate on a pole, facing along the street.
func sign(b *builder, r *Random, object uint16) {
	b.use(Part{Class: Pole, Material: Metal, Object: object})
	high := r.Between(2.1, 2.6)
	b.rod(v(0, 0, -.2), v(0, 0, high+.6), .03, .03, 6)
	colors := [][3]uint8{{200, 40, 40}, {40, 70, 180}, {230, 230, 230}, {220, 190, 40}}
	b.use(Part{Class: Pole, Material: Enamel, Object: object, Color: colors[r.Pick(len(colors))]})
	if r.Chance(.5) {
		b.drum(v(.035, 0, high+.3), v(.05, 0, high+.3), .3, 14)
		return
	}
	b.box(.035, -.3, high, .05, .3, high+.6)
}

func bollard(b *builder, object uint16) {
	b.use(Part{Class: Pole, Material: Metal, Object: object})
	b.drum(v(0, 0, -.1), v(0, 0, .95), .06, 8)
}

// pole is a wooden pole with a cross-arm for wires.
func pole(b *builder, object uint16) {
	b.use(Part{Class: Pole, Material: Wood, Object: object})
	b.rod(v(0, 0, -.3), v(0, 0, 8.6), .14, .1, 8)
	b.box(-.05, -.5, 7.75, .05, .5, 7.87)
}

// signals are traffic lights on a pole.
func signals(b *builder, object uint16) {
	b.use(Part{Class: Pole, Material: Metal, Object: object})
	b.rod(v(0, 0, -.2), v(0, 0, 3.4), .06, .06, 8)
	b.box(.07, -.15, 2.5, .32, .15, 3.4)
}

func bench(b *builder, object uint16) {
	b.use(Part{Class: OtherItem, Material: Wood, Object: object})
	b.box(-.9, -.55, .4, .9, -.1, .46)
	b.hull(level(-.9, -.55, .9, -.6, .5), level(-.9, -.65, .9, -.7, .88))
	for _, x := range []float64{-.8, .7} {
		b.box(x, -.6, 0, x+.1, -.1, .45)
		b.box(x, -.68, .4, x+.1, -.6, .85)
	}
}

// shelter is a bus stop of glass under a roof.
func shelter(b *builder, object uint16) {
	metal := Part{Class: OtherItem, Material: Metal, Object: object}
	b.use(metal)
	b.box(-1.9, -1.5, 2.3, 1.9, 0, 2.42)
	for _, x := range []float64{-1.8, -.6, .6, 1.8} {
		b.box(x-.04, -1.44, 0, x+.04, -1.36, 2.3)
	}
	b.box(-1.4, -1.3, .45, 1.4, -.95, .5)
	metal.Material = Glass
	b.use(metal)
	b.quad(v(-1.8, -1.4, .2), v(1.8, -1.4, .2), v(1.8, -1.4, 2.2), v(-1.8, -1.4, 2.2))
	b.quad(v(-1.8, -1.4, .2), v(-1.8, -.2, .2), v(-1.8, -.2, 2.2), v(-1.8, -1.4, 2.2))
}

// person stands or walks, facing +x.
func person(b *builder, r *Random, object uint16) {
	cloth := [3]uint8{clip(r.Between(30, 200)), clip(r.Between(30, 160)), clip(r.Between(30, 180))}
	b.use(Part{Class: OtherItem, Material: Fabric, Object: object, Color: cloth})
	tall, stride := r.Between(.92, 1.08), r.Between(0, .3)
	for k, y := range []float64{-.1, .1} {
		foot := stride * float64(1-2*k)
		b.rod(v(foot, y, 0), v(0, y*.9, .85*tall), .06, .09, 6)
		b.rod(v(-foot*.8, y*2.4, .85*tall), v(0, y*2.1, 1.42*tall), .04, .06, 5)
	}
	b.hull(level(-.11, -.17, .11, .17, .8*tall), level(-.1, -.21, .1, .21, 1.45*tall))
	b.use(Part{Class: OtherItem, Material: Fabric, Object: object, Color: [3]uint8{200, 160, 130}})
	b.ball(v(0, 0, 1.62*tall), .115, 8)
}

// ball adds a sphere of that many sides.
func (b *builder) ball(middle r3.Vector, radius float64, sides int) {
	rings := max(3, sides/2)
	for k := range rings {
		s0, c0 := math.Sincos(math.Pi * (float64(k)/float64(rings) - .5))
		s1, c1 := math.Sincos(math.Pi * (float64(k+1)/float64(rings) - .5))
		b.rod(middle.Add(v(0, 0, radius*s0)), middle.Add(v(0, 0, radius*s1)), radius*c0, radius*c1, sides)
	}
}

// lorry is a box van or bus about 8 m long, along x.
func lorry(b *builder, r *Random, object uint16) {
	body := Part{Class: Car, Material: Paint, Object: object,
		Color: [3]uint8{clip(r.Between(60, 240)), clip(r.Between(60, 240)), clip(r.Between(60, 240))}}
	b.use(body)
	long, high := r.Between(2.5, 5), r.Between(2.6, 3.4)
	b.box(-long, -1.2, .75, long, 1.2, high)
	b.box(-long, -1, .45, long+2, 1, .75)
	b.box(long+.15, -1.1, .45, long+2, 1.1, 1.35)
	b.hull(level(long+.15, -1.1, long+2, 1.1, 1.35), level(long+.15, -1, long+1.6, 1, 2.3))
	b.use(Part{Class: Car, Material: Plastic, Object: object})
	for _, x := range []float64{-long + 1, long + 1} {
		for _, y := range []float64{-1.15, .9} {
			b.drum(v(x, y, .48), v(x, y+.25, .48), .48, 10)
		}
	}
}
