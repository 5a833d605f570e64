package command

import (
	"bufio"
	"fmt"
	"io"

	"superpoint/filter/georef"
	"superpoint/partition/parallel"
)

// features is a GeoJSON file that is being written.
type features struct {
	host      Host
	name      string
	out       *bufio.Writer
	first     string // the file whose spatial reference the features have; "" before
	reference georef.Reference
	count     int
}

// writer writes a whole file of layers.
func (f *features) writer(layers []layer) func(w io.Writer) error {
	return func(w io.Writer) error {
		f.out = bufio.NewWriterSize(w, 1<<20)
		for _, l := range layers {
			if err := l.body(f); err != nil {
				return err
			}
		}
		return f.end()
	}
}

// begin announces the features of a file. All have one spatial reference.
func (f *features) begin(path string, reference georef.Reference) error {
	if f.first != "" {
		if !oneReference(f.reference, reference) {
			return fmt.Errorf("%s: its spatial reference (%s) is not that of %s (%s); reproject one of them first with "+
				"filters.reprojection",
				path, referenceName(reference), f.first, referenceName(f.reference))
		}
		return nil
	}
	f.first, f.reference = path, reference
	_, err := f.out.WriteString(head(f.name, reference))
	return err
}

// add writes n features. They are made many at a time, and written in order.
func (f *features) add(run parallel.Run, n int, feature func(text []byte, k int) []byte) error {
	const many = 2048
	made := make([][]byte, min(many, n))
	progress := run.Progress
	run = run.Quiet() // the progress is that of all of them, not of each round
	for first := 0; first < n; first += many {
		some := made[:min(many, n-first)]
		err := run.For(len(some), 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				some[i] = feature(some[i][:0], first+i)
			}
		})
		if err != nil {
			return err
		}
		for _, text := range some {
			if len(text) == 0 {
				continue
			}
			if f.count > 0 {
				text = append([]byte(",\n"), text...)
			}
			f.count++
			if _, err := f.out.Write(text); err != nil {
				return err
			}
		}
		progress(float64(first+len(some)) / float64(n))
	}
	return nil
}

// end writes what closes the file.
func (f *features) end() error {
	if _, err := f.out.WriteString("\n]}\n"); err != nil {
		return err
	}
	return f.out.Flush()
}

func oneReference(a, b georef.Reference) bool {
	authority, code := a.Code()
	other, number := b.Code()
	if code != "" && number != "" {
		return authority == other && code == number
	}
	return a.WKT == b.WKT
}

// referenceName names a spatial reference for a message.
func referenceName(r georef.Reference) string {
	switch authority, code := r.Code(); {
	case code != "":
		return authority + ":" + code
	case r.WKT == "":
		return "none"
	}
	return "one without a code"
}
