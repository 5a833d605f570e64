// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"github.com/hschendel/stl"

	"superpoint/pipelines/files/atomicfile"
)

// TrianglesEnding is the ending of files of triangles.
const TrianglesEnding = ".stl"

// Origin is the place in metres that the coordinates of an STL file are relative to, as they are 32-bit
// floats.
type Origin [3]float64

// OriginOf returns the origin for the least coordinates: these, rounded down to 100 m.
func OriginOf(least [3]float64) (o Origin) {
	for axis, at := range least {
		o[axis] = math.Floor(at/100) * 100
	}
	return o
}

func (o Origin) String() string { return fmt.Sprintf("origin %.10g %.10g %.10g m", o[0], o[1], o[2]) }

// WriteTriangles writes binary STL with the title and the origin in its header.
func WriteTriangles(to *atomicfile.Output, title string, origin Origin, triangles []stl.Triangle) error {
	solid := stl.Solid{BinaryHeader: []byte(title + ", " + origin.String()), Triangles: triangles}
	return to.Write(func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<20)
		if err := solid.WriteAll(out); err != nil {
			return err
		}
		return out.Flush()
	})
}
