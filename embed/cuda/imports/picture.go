package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Sizes in pixels.
const (
	letter = 7.0 // width of one
	high   = 36.0
	gap    = 18.0
	step   = 86.0 // from a row to the next
)

// box is a package in the picture.
type box struct{ x, y, wide float64 }

// picture returns the packages as SVG: those that import nothing at the bottom.
func picture(rooms map[string]*room) string {
	rows := rowsOf(rooms)
	boxes, wide := place(rooms, rows)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" `+
		`font-family="sans-serif" font-size="12">`+"\n", wide, step*float64(len(rows))-step+high+2*gap)
	s.WriteString(`<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto">` +
		`<path d="M0,0 L7,3 L0,6 z" fill="#667"/></marker></defs><rect width="100%" height="100%" fill="#fff"/>` + "\n")
	names := slices.Sorted(maps.Keys(rooms))
	for _, name := range names {
		for _, to := range slices.Sorted(maps.Keys(rooms[name].imports)) {
			a, b := boxes[name], boxes[to]
			fmt.Fprintf(&s, `<path d="M%.0f,%.0f C%.0f,%.0f %.0f,%.0f %.0f,%.0f" fill="none" stroke="#667" `+
				`marker-end="url(#a)"/>`+"\n", a.x, a.y+high, a.x, a.y+step/2+high/2, b.x, b.y-step/2+high/2, b.x, b.y-1)
		}
	}
	for _, name := range names {
		b, kernels := boxes[name], strings.Join(rooms[name].kernels, ", ")
		fill := "#eef1f6"
		if kernels != "" {
			fill = "#ffe9c7"
		}
		fmt.Fprintf(&s, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="5" fill="%s" stroke="#667"/>`,
			b.x-b.wide/2, b.y, b.wide, high, fill)
		fmt.Fprintf(&s, `<text x="%.0f" y="%.0f" text-anchor="middle">%s</text>`, b.x, b.y+15, name)
		fmt.Fprintf(&s, `<text x="%.0f" y="%.0f" text-anchor="middle" font-size="11" fill="#850">%s</text>`+"\n", b.x,
			b.y+30, kernels)
	}
	return s.String() + "</svg>\n"
}

// rowsOf puts each package one row above the highest that it imports; the first
// row is the highest.
func rowsOf(rooms map[string]*room) (rows [][]string) {
	var height func(name string) int
	height = func(name string) (h int) {
		for to := range rooms[name].imports {
			h = max(h, height(to)+1)
		}
		return h
	}
	for _, name := range slices.Sorted(maps.Keys(rooms)) {
		for len(rows) <= height(name) {
			rows = append(rows, nil)
		}
		rows[height(name)] = append(rows[height(name)], name)
	}
	slices.Reverse(rows)
	return rows
}

// place puts each row in the middle and returns the picture's width.
func place(rooms map[string]*room, rows [][]string) (boxes map[string]box, wide float64) {
	width := func(name string) float64 {
		return letter*float64(max(len(name), len(strings.Join(rooms[name].kernels, ", ")))) + 14
	}
	lengths := make([]float64, len(rows))
	for i, row := range rows {
		lengths[i] = gap
		for _, name := range row {
			lengths[i] += width(name) + gap
		}
		wide = max(wide, lengths[i])
	}
	boxes = map[string]box{}
	for i, row := range rows {
		x := (wide-lengths[i])/2 + gap
		for _, name := range row {
			boxes[name] = box{x + width(name)/2, gap + step*float64(i), width(name)}
			x += width(name) + gap
		}
	}
	return boxes, wide
}
