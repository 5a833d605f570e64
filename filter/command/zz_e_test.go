package command

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"superpoint/testdata/las"
)

type eHost struct{ t *testing.T }

func (h eHost) Read(path string, dims []string) (*Columns, error) {
	p, err := las.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &Columns{X: p.X, Y: p.Y, Z: p.Z, Dimensions: map[string][]float64{}}
	w := func(n string, v []uint16) {
		if v != nil {
			f := make([]float64, len(v))
			for i, x := range v {
				f[i] = float64(x)
			}
			c.Dimensions[n] = f
		}
	}
	w("Red", p.Red); w("Green", p.Green); w("Blue", p.Blue); w("Intensity", p.Intensity); w("PointSourceId", p.PointSourceID)
	return c, nil
}
func (h eHost) Log(level int, text string) { h.t.Log(text) }
func (h eHost) Progress(step string, f float64) {}
func (h eHost) Stdout() io.Writer { return os.Stdout }
func (h eHost) Context() context.Context { return context.Background() }

func TestE(t *testing.T) {
	if err := Run(eHost{t}, strings.Fields(os.Getenv("E"))); err != nil {
		t.Fatal(err)
	}
}
