// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "fmt"

// Grid returns the graph of a width × height image, pixel (x, y) being vertex
// y·width + x, that joins each pixel with its 4 neighbours, or 8 with
// diagonals. It fails when a side is below 1 and for more than 2³¹−1 edges.
func Grid(width, height int, diagonals bool) (*Graph, error) {
	if width < 1 || height < 1 || width > maxEdges/4/height {
		return nil, fmt.Errorf("neighbor: image of %d × %d pixels; sides must be at least 1 and pixels at most %d", width,
			height, maxEdges/4)
	}
	each := 2
	if diagonals {
		each = 4
	}
	g := &Graph{Start: make([]uint32, 1, width*height+1), Head: make([]uint32, 0, each*width*height)}
	for y := range height {
		for x := range width {
			u := uint32(y*width + x)
			if x+1 < width {
				g.Head = append(g.Head, u+1)
			}
			if y+1 < height {
				below := u + uint32(width)
				if diagonals && x > 0 {
					g.Head = append(g.Head, below-1)
				}
				g.Head = append(g.Head, below)
				if diagonals && x+1 < width {
					g.Head = append(g.Head, below+1)
				}
			}
			g.Start = append(g.Start, uint32(len(g.Head)))
		}
	}
	return g, nil
}
