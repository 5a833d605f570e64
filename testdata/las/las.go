// Package las reads and writes uncompressed LAS point clouds for tests and for
// the simulated scanner. It reads versions 1.2 to 1.4 with point formats 0 to 8
// and extra bytes, and writes version 1.4 with formats 6 and 7 (ASPRS LAS 1.4
// R15). It is strict: a file whose header contradicts its size is an error, not
// a guess. LAZ is made from LAS and back by "pdal translate". Coordinates are
// those of the file, mostly metres; the bytes written depend on nothing but the
// points.
package las

import (
	"fmt"
	"os"
	"path/filepath"
)

// Points is a cloud as columns of equal length. A column that the file does not
// have is nil. Extra holds the extra-bytes dimensions by name, scaled.
type Points struct {
	X, Y, Z          []float64
	Intensity        []uint16
	ReturnNumber     []uint8
	NumberOfReturns  []uint8
	Classification   []uint8
	ScanAngle        []float32 // degrees
	PointSourceID    []uint16
	GPSTime          []float64
	Red, Green, Blue []uint16
	Extra            map[string][]float64
	WKT              string // coordinate system, empty if the file states none as WKT
}

// Len returns the number of points.
func (p *Points) Len() int { return len(p.X) }

// ReadFile reads a whole LAS file.
func ReadFile(path string) (*Points, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p, err := r.Read(r.Count)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// WriteFile writes p with a resolution of scale units (0.001 if scale is 0),
// under a temporary name until it is complete. Extra columns are stored as
// float64 in alphabetical order.
func WriteFile(path string, p *Points, scale float64) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".las-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := NewWriter(f, LayoutOf(p, scale))
	if err != nil {
		return err
	}
	if err := w.Write(p); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
