package scenes

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/hschendel/stl"
	"gopkg.in/yaml.v3"
)

// labels is the YAML file beside an STL file: STL has no place for what a
// triangle belongs to, so the parts are named as runs of triangles.
type labels struct {
	Scene    string       `yaml:"scene"`
	Indoor   bool         `yaml:"indoor,omitempty"`
	Stations [][3]float64 `yaml:"stations,omitempty,flow"` // of terrestrial scans
	Parts    []run        `yaml:"parts"`
}

// run is consecutive triangles of one part.
type run struct {
	First    int      `yaml:"first"`
	Count    int      `yaml:"count"`
	Class    uint8    `yaml:"class"`
	Object   uint16   `yaml:"object"`
	Material Material `yaml:"material"`
	Color    [3]uint8 `yaml:"color,flow"`
}

// labelFile is the name of the labels of an STL file.
func labelFile(path string) string { return strings.TrimSuffix(path, ".stl") + ".yaml" }

// WriteSTL writes block (0, 0) of a scene as a binary STL solid with every copy
// in its place, the triangles of an object together, and the labels beside it
// as YAML.
func WriteSTL(path string, s Scene, name string) error {
	if !strings.HasSuffix(path, ".stl") {
		return fmt.Errorf("solid %q: the name must end in .stl", path)
	}
	b := s.Block(0, 0)
	solid := &stl.Solid{Name: name}
	l := labels{Scene: name, Indoor: s.Indoor()}
	dx, dy := s.Size()
	for n := range 2 {
		if x, y, z := s.Station(n); x < dx && y < dy {
			l.Stations = append(l.Stations, [3]float64{round(x), round(y), round(z)})
		}
	}
	add := func(t [3][3]float32, p Part) {
		n := len(l.Parts) - 1
		next := run{First: len(solid.Triangles), Class: p.Class, Object: p.Object, Material: p.Material, Color: p.Color}
		if n < 0 || l.Parts[n].Class != p.Class || l.Parts[n].Object != p.Object || l.Parts[n].Material != p.Material ||
			l.Parts[n].Color != p.Color {
			l.Parts = append(l.Parts, next)
			n++
		}
		l.Parts[n].Count++
		solid.AppendTriangle(stl.Triangle{Vertices: [3]stl.Vec3{t[0], t[1], t[2]}})
	}
	for part := range b.Mesh.Parts {
		for i, t := range b.Mesh.Triangles {
			if int(b.Mesh.Of[i]) == part {
				add(t, b.Mesh.Parts[part])
			}
		}
	}
	for _, c := range b.Copies {
		for i, t := range c.Mesh.Triangles {
			p := c.Mesh.Parts[c.Mesh.Of[i]]
			p.Object = c.Object
			base := p.Material.Of().Color
			if p.Color != [3]uint8{} {
				base = p.Color
			}
			for k := range 3 {
				p.Color[k] = clip(float64(base[k]) * float64(c.Tint[k]))
			}
			add(c.corners(t), p)
		}
	}
	solid.RecalculateNormals()
	text, err := yaml.Marshal(&l)
	if err != nil {
		return err
	}
	if err := os.WriteFile(labelFile(path), text, 0o644); err != nil {
		return err
	}
	return solid.WriteFile(path)
}

func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// corners places a triangle of the copied solid in the block.
func (c *Copy) corners(t [3][3]float32) [3][3]float32 {
	sin, cos := math.Sincos(float64(c.Turn))
	for k, p := range t {
		x, y := float64(p[0]*c.Scale), float64(p[1]*c.Scale)
		t[k] = [3]float32{float32(cos*x-sin*y) + c.X, float32(sin*x+cos*y) + c.Y, p[2]*c.Scale + c.Z}
	}
	return t
}

// solidScene is one block read from a file.
type solidScene struct {
	block  *Block
	dx, dy float64
	shift  [3]float32
	labels labels
}

// ReadSTL reads a solid, binary or ASCII, as a scene of one block whose corner
// is moved to (0, 0). Without labels beside it everything is one building.
func ReadSTL(path string) (Scene, error) {
	solid, err := stl.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(solid.Triangles) == 0 {
		return nil, fmt.Errorf("%s: no triangles", path)
	}
	s := &solidScene{labels: labels{Scene: solid.Name,
		Parts: []run{{Count: len(solid.Triangles), Class: Building, Object: FirstLocal, Material: Plaster}}}}
	text, err := os.ReadFile(labelFile(path))
	if err == nil {
		s.labels = labels{}
		err = yaml.Unmarshal(text, &s.labels)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", labelFile(path), err)
	}
	mesh, err := s.labels.mesh(solid)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", labelFile(path), err)
	}
	return s, s.settle(path, mesh)
}

func (l *labels) mesh(solid *stl.Solid) (*Mesh, error) {
	m := &Mesh{Triangles: make([][3][3]float32, len(solid.Triangles)), Of: make([]uint16, len(solid.Triangles))}
	next := 0
	for k, p := range l.Parts {
		if p.First != next || p.Count < 1 || p.Count > len(solid.Triangles)-next {
			return nil, fmt.Errorf("part %d has triangles %d to %d, want them to begin at %d and to end before %d", k, p.First,
				p.First+p.Count, next, len(solid.Triangles))
		}
		if p.Material > Paper || k > math.MaxUint16 {
			return nil, fmt.Errorf("part %d: material %d of %d, and at most 65536 parts", k, p.Material, Paper)
		}
		m.Parts = append(m.Parts, Part{Class: p.Class, Material: p.Material, Object: p.Object, Color: p.Color})
		for ; next < p.First+p.Count; next++ {
			t := &solid.Triangles[next]
			m.Triangles[next] = [3][3]float32{t.Vertices[0], t.Vertices[1], t.Vertices[2]}
			m.Of[next] = uint16(k)
		}
	}
	if next != len(solid.Triangles) {
		return nil, fmt.Errorf("the parts name %d of %d triangles", next, len(solid.Triangles))
	}
	return m, nil
}

// settle moves the mesh to the corner of the block.
func (s *solidScene) settle(path string, m *Mesh) error {
	low, high := m.Triangles[0][0], m.Triangles[0][0]
	for _, t := range m.Triangles {
		for _, p := range t {
			for k := range 3 {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
	}
	for k := range 3 {
		if d := float64(high[k] - low[k]); math.IsNaN(d) || math.IsInf(d, 0) {
			return fmt.Errorf("%s: a corner is not a finite number", path)
		}
	}
	for i := range m.Triangles {
		for c := range 3 {
			m.Triangles[i][c][0] -= low[0]
			m.Triangles[i][c][1] -= low[1]
		}
	}
	s.dx, s.dy = max(.01, float64(high[0]-low[0])), max(.01, float64(high[1]-low[1]))
	s.shift = low
	s.block = &Block{Mesh: m}
	return nil
}

func (s *solidScene) Size() (dx, dy float64) { return s.dx, s.dy }
func (s *solidScene) Indoor() bool           { return s.labels.Indoor }
func (s *solidScene) Repeats() bool          { return false }

func (s *solidScene) Block(i, j int) *Block {
	if i != 0 || j != 0 {
		return nil
	}
	return s.block
}

// Station uses the labels' stations in turn, or stands in the middle at a man's
// height over the lowest point.
func (s *solidScene) Station(n int) (x, y, z float64) {
	if k := len(s.labels.Stations); k > 0 {
		p := s.labels.Stations[n%k]
		return p[0] - float64(s.shift[0]), p[1] - float64(s.shift[1]), p[2]
	}
	return s.dx / 2, s.dy / 2, float64(s.shift[2]) + 1.7
}
