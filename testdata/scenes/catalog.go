package scenes

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/golang/geo/r3"
)

// catalog is furniture that is read from the libraries of Sweet Home 3D: zip
// files with OBJ solids and a list of names, sizes in centimetres and makers.
// Debian has them as sweethome3d-furniture (CC0 and CC-BY); none is kept here.
type catalog struct {
	large, small []*piece // pieces that stand in rooms, things that lie on tables
}

// piece is one model, read when it is first needed.
type piece struct {
	file             *zip.File
	wide, deep, high float64 // m
	above            float64 // m, from the floor
	class            uint8
	turn             [9]float64 // of the solid's coordinates
	once             sync.Once
	faces            []face
	err              error
}

// face is a triangle in the unit cube: x along the wall, y into the room, z up.
type face struct {
	corners [3]r3.Vector
	color   [3]uint8
}

// largestModel is the size of an OBJ file that is still taken, in bytes.
const largestModel = 1 << 20

// openCatalog reads the lists of all *.sh3f files of a folder.
func openCatalog(folder string) (*catalog, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.sh3f"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	c := &catalog{}
	for _, name := range files {
		z, err := zip.OpenReader(name) // stays open: models are read later
		if err != nil {
			return nil, fmt.Errorf("furniture %s: %w", name, err)
		}
		if err := c.add(z); err != nil {
			return nil, fmt.Errorf("furniture %s: %w", name, err)
		}
	}
	if len(c.large) == 0 {
		return nil, fmt.Errorf("furniture %s: no *.sh3f file with furniture in it: testdata/scanner/furniture.sh fetches "+
			"some", folder)
	}
	return c, nil
}

func (c *catalog) add(z *zip.ReadCloser) error {
	byName := map[string]*zip.File{}
	for _, f := range z.File {
		byName[f.Name] = f
	}
	list, err := open(byName["PluginFurnitureCatalog.properties"])
	if err != nil {
		return err
	}
	entries := map[int]map[string]string{}
	last := 0
	for _, line := range strings.Split(string(list), "\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		name, number, ok := strings.Cut(key, "#")
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			continue
		}
		if entries[n] == nil {
			entries[n] = map[string]string{}
		}
		entries[n][name] = value
		last = max(last, n)
	}
	for n := 1; n <= last; n++ {
		if p := newPiece(entries[n], byName); p != nil {
			if p.wide < .4 && p.deep < .4 && p.high < .45 && p.wide > .04 {
				c.small = append(c.small, p)
			} else if p.high > .2 && p.wide < 3.5 && p.deep < 1.6 && p.high < 2.3 {
				c.large = append(c.large, p)
			}
		}
	}
	return nil
}

// newPiece takes what stands in rooms and is not too fine; nil for the others.
func newPiece(e map[string]string, files map[string]*zip.File) *piece {
	switch e["category"] {
	case "Living room", "Miscellaneous", "Kitchen", "Bedroom", "Bathroom", "Office", "Lights":
	default:
		return nil
	}
	file := files[strings.TrimPrefix(e["model"], "/")]
	if file == nil || file.UncompressedSize64 > largestModel || e["doorOrWindow"] == "true" {
		return nil
	}
	metres := func(key string) float64 {
		v, _ := strconv.ParseFloat(e[key], 64)
		return v / 100
	}
	p := &piece{file: file, wide: metres("width"), deep: metres("depth"), high: metres("height"),
		above: metres("elevation"),
		class: classOf(e["name"] + " " + e["tags"]), turn: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	if words := strings.Fields(e["modelRotation"]); len(words) == 9 {
		for k, w := range words {
			p.turn[k], _ = strconv.ParseFloat(w, 64)
		}
	}
	if !(p.wide > 0 && p.deep > 0 && p.high > 0 && p.above+p.high < 2.3) {
		return nil
	}
	return p
}

// classOf guesses a class from what the list says.
func classOf(words string) uint8 {
	words = strings.ToLower(words)
	for _, c := range []struct {
		class uint8
		words string
	}{{Sofa, "sofa couch armchair"}, {Chair, "chair stool seat bench"}, {Table, "table desk worktop"},
		{Bookcase, "shel bookcase wardrobe cabinet cupboard dresser chest"}, {LampClass, "lamp light"}, {Sofa, "bed"}} {
		for _, w := range strings.Fields(c.words) {
			if strings.Contains(words, w) {
				return c.class
			}
		}
	}
	return Clutter
}

func open(f *zip.File) ([]byte, error) {
	if f == nil {
		return nil, fmt.Errorf("the list or a model is missing")
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// solid returns the faces of a piece; none if its file cannot be read.
func (p *piece) solid() []face {
	p.once.Do(func() {
		var text []byte
		if text, p.err = open(p.file); p.err == nil {
			p.faces = readOBJ(string(text), p.turn)
		}
	})
	return p.faces
}

// readOBJ reads the faces of a Wavefront OBJ whose y points up and whose front
// is at +z, scaled to the unit cube. Material names give colours.
func readOBJ(text string, turn [9]float64) []face {
	var points []r3.Vector
	var faces []face
	color := [3]uint8{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, largestModel)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "v":
			if len(words) < 4 {
				return nil
			}
			var q [3]float64
			for k := range q {
				q[k], _ = strconv.ParseFloat(words[k+1], 64)
			}
			at := func(row int) float64 { return turn[3*row]*q[0] + turn[3*row+1]*q[1] + turn[3*row+2]*q[2] }
			points = append(points, v(-at(0), at(2), at(1)))
		case "usemtl":
			h := Hash(0, 0, 0)
			for _, c := range words[1] {
				h = Hash(h, uint64(c), 0)
			}
			color = [3]uint8{50 + uint8(h%190), 50 + uint8(h>>8%180), 50 + uint8(h>>16%170)}
		case "f":
			var at []r3.Vector
			for _, w := range words[1:] {
				index, _, _ := strings.Cut(w, "/")
				i, err := strconv.Atoi(index)
				if i < 0 {
					i += len(points) + 1
				}
				if err != nil || i < 1 || i > len(points) {
					return nil
				}
				at = append(at, points[i-1])
			}
			for k := 2; k < len(at); k++ {
				faces = append(faces, face{[3]r3.Vector{at[0], at[k-1], at[k]}, color})
			}
		}
	}
	return fit(faces)
}

// fit scales faces to the unit cube.
func fit(faces []face) []face {
	if len(faces) == 0 {
		return nil
	}
	low, high := faces[0].corners[0], faces[0].corners[0]
	for _, f := range faces {
		for _, c := range f.corners {
			low = v(min(low.X, c.X), min(low.Y, c.Y), min(low.Z, c.Z))
			high = v(max(high.X, c.X), max(high.Y, c.Y), max(high.Z, c.Z))
		}
	}
	size := high.Sub(low)
	unit := func(d, s float64) float64 {
		if s > 0 {
			return d / s
		}
		return 0
	}
	for i := range faces {
		for k, c := range faces[i].corners {
			d := c.Sub(low)
			faces[i].corners[k] = v(unit(d.X, size.X)-.5, unit(d.Y, size.Y), unit(d.Z, size.Z))
		}
	}
	return faces
}

// bring adds a piece as one object, its back at y and its foot at z of the
// frame, and reports whether there was one.
func (o *office) bring(p *piece, y, z float64) bool {
	faces := p.solid()
	if len(faces) == 0 {
		return false
	}
	part := o.as(p.class, Wood)
	for k, f := range faces {
		if k == 0 || part.Color != f.color {
			part.Color = f.color
			o.b.use(part)
		}
		var c [3]r3.Vector
		for k, q := range f.corners {
			c[k] = v(q.X*p.wide, y+q.Y*p.deep, z+q.Z*p.high)
		}
		o.b.triangle(c[0], c[1], c[2])
	}
	return true
}

// pick returns one of some pieces, or nil if there are none.
func (o *office) pick(of []*piece) *piece {
	if len(of) == 0 {
		return nil
	}
	return of[o.r.Pick(len(of))]
}
