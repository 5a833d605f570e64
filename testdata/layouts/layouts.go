// SPDX-License-Identifier: BSD-3-Clause

// Package layouts writes simulated scans in the file layouts of S3DIS and vKITTI3D, to test
// the six-fold script without the data.
package layouts

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"superpoint/testdata/las"
)

// rooms names the classes of the scanner as S3DIS does; all others are clutter.
func rooms() map[uint8]string {
	return map[uint8]string{20: "ceiling", 21: "floor", 22: "wall", 25: "window", 26: "door", 27: "table", 28: "chair",
		29: "sofa", 30: "bookcase", 31: "board"}
}

// WriteS3DIS writes a room: path, which is ROOM/ROOM.txt, with all points, and ROOM/Annotations/
// with a file for each object.
func WriteS3DIS(path string, p *las.Points) error {
	folder := filepath.Join(filepath.Dir(path), "Annotations")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var all bytes.Buffer
	type object struct {
		class  string
		number uint16
	}
	objects := map[object]*bytes.Buffer{}
	for i := range p.X {
		class, ok := rooms()[p.Classification[i]]
		if !ok {
			class = "clutter"
		}
		of := object{class, p.PointSourceID[i]}
		if objects[of] == nil {
			objects[of] = new(bytes.Buffer)
		}
		line := fmt.Sprintf("%.3f %.3f %.3f %d %d %d\n", p.X[i], p.Y[i], p.Z[i], p.Red[i]>>8, p.Green[i]>>8, p.Blue[i]>>8)
		all.WriteString(line)
		objects[of].WriteString(line)
	}
	for of, text := range objects {
		file := filepath.Join(folder, fmt.Sprintf("%s_%d.txt", of.class, of.number))
		if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(path, all.Bytes(), 0o644)
}

// streets numbers the classes of the scanner as vKITTI3D does: terrain, tree,
// vegetation, building, pole and car; all others are 9, miscellaneous.
func streets() map[uint8]float32 {
	return map[uint8]float32{2: 0, 5: 1, 3: 2, 4: 2, 6: 3, 128: 8, 64: 11, 7: 13, 18: 13}
}

// WriteVKITTI writes an array of numpy with rows x y z r g b class.
func WriteVKITTI(path string, p *las.Points) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 7), }", p.Len())
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	w.WriteString("\x93NUMPY\x01\x00")
	w.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	w.WriteString(header)
	for i := range p.X {
		class, ok := streets()[p.Classification[i]]
		if !ok {
			class = 9
		}
		row := []float32{float32(p.X[i]), float32(p.Y[i]), float32(p.Z[i]), float32(p.Red[i] >> 8), float32(p.Green[i] >> 8),
			float32(p.Blue[i] >> 8), class}
		if err := binary.Write(w, binary.LittleEndian, row); err != nil {
			return err
		}
	}
	return w.Flush()
}
