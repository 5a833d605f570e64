package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

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
	b.hull([4]r3.Vector{v(-.9, -.55, .5), v(.9, -.55, .5), v(.9, -.6, .5), v(-.9, -.6, .5)},
		[4]r3.Vector{v(-.9, -.65, .88), v(.9, -.65, .88), v(.9, -.7, .88), v(-.9, -.7, .88)})
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
	b.hull([4]r3.Vector{v(-.11, -.17, .8*tall), v(.11, -.17, .8*tall), v(.11, .17, .8*tall), v(-.11, .17, .8*tall)},
		[4]r3.Vector{v(-.1, -.21, 1.45*tall), v(.1, -.21, 1.45*tall), v(.1, .21, 1.45*tall), v(-.1, .21, 1.45*tall)})
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
	b.hull([4]r3.Vector{v(long+.15, -1.1, 1.35), v(long+2, -1.1, 1.35), v(long+2, 1.1, 1.35), v(long+.15, 1.1, 1.35)},
		[4]r3.Vector{v(long+.15, -1, 2.3), v(long+1.6, -1, 2.3), v(long+1.6, 1, 2.3), v(long+.15, 1, 2.3)})
	b.use(Part{Class: Car, Material: Plastic, Object: object})
	for _, x := range []float64{-long + 1, long + 1} {
		for _, y := range []float64{-1.15, .9} {
			b.drum(v(x, y, .48), v(x, y+.25, .48), .48, 10)
		}
	}
}
