package tile

import (
	"bytes"
	"testing"
)

// FuzzParseSeam reads seam files with a right checksum: a seam whose indices
// lead nowhere outside and that is written as it was read, or an error.
func FuzzParseSeam(f *testing.F) {
	whole := (&Seam{Tile: 3, Pieces: 1, Point: [][3]int32{{1, 2, 3}, {4, 5, 6}}, Superpoint: []uint32{1, 1}, Piece: []uint32{0, Outside}, Crossing: [][2]uint32{{0, 1}}}).Bytes()
	f.Add(whole[:len(whole)-4])
	f.Add([]byte(seamMagic))
	f.Add(append([]byte(seamMagic), bytes.Repeat([]byte{255}, 16)...))
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := Sum(body)
		file := append(bytes.Clone(body), byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
		s, err := ParseSeam(file)
		if err != nil {
			return
		}
		for _, e := range s.Crossing {
			_, _ = s.Point[e[0]], s.Point[e[1]]
		}
		if !bytes.Equal(s.Bytes(), file) {
			t.Error("written otherwise than read")
		}
	})
}
