package tile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
)

// Seam is what a tile tells its neighbours: the points of its seam band in file
// order, with the superpoint of each and, for points of the core, the piece.
// Superpoints are those found with the halo; pieces are their connected parts
// in the core, numbered from 0 by first point.
type Seam struct {
	Tile       uint32 // index in the plan
	Pieces     uint32 // in the core
	Point      [][3]int32
	Superpoint []uint32
	Piece      []uint32    // Outside for points of the halo
	Crossing   [][2]uint32 // edges inside one superpoint, from a core point to a halo point, as indices of points here
}

// Outside marks points that do not belong to the core.
const Outside = ^uint32(0)

const seamMagic = "SPSEAM1\n"

// Bytes returns the file form: magic, four counts, arrays, all little endian,
// and a CRC-32C of all that.
func (s *Seam) Bytes() []byte {
	b := []byte(seamMagic)
	for _, n := range []uint32{s.Tile, s.Pieces, uint32(len(s.Point)), uint32(len(s.Crossing))} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	out := bytes.NewBuffer(b)
	for _, array := range []any{s.Point, s.Superpoint, s.Piece, s.Crossing} {
		binary.Write(out, binary.LittleEndian, array) // a buffer takes everything
	}
	return binary.LittleEndian.AppendUint32(out.Bytes(), Sum(out.Bytes()))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // read only

// Sum is the CRC-32C that guards files between steps.
func Sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// ReadSeam reads a seam file; a damaged one is an error that names it.
func ReadSeam(path string) (*Seam, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := ParseSeam(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove it and run its tile again", path, err)
	}
	return s, nil
}

// ParseSeam is the inverse of Bytes.
func ParseSeam(b []byte) (*Seam, error) {
	le, fixed := binary.LittleEndian, len(seamMagic)+16
	if len(b) < fixed+4 || string(b[:len(seamMagic)]) != seamMagic {
		return nil, fmt.Errorf("not a seam file")
	}
	body := b[:len(b)-4]
	if Sum(body) != le.Uint32(b[len(body):]) {
		return nil, fmt.Errorf("damaged: the checksum is wrong")
	}
	var n [4]uint32
	for k := range n {
		n[k] = le.Uint32(body[len(seamMagic)+4*k:])
	}
	points, edges := uint64(n[2]), uint64(n[3])
	if uint64(len(body)-fixed) != 20*points+8*edges {
		return nil, fmt.Errorf("damaged: %d bytes for %d points and %d edges", len(b), points, edges)
	}
	s := &Seam{Tile: n[0], Pieces: n[1], Point: make([][3]int32, points), Superpoint: make([]uint32, points),
		Piece: make([]uint32, points), Crossing: make([][2]uint32, edges)}
	at := body[fixed:]
	next := func() uint32 { v := le.Uint32(at); at = at[4:]; return v }
	for i := range s.Point {
		s.Point[i] = [3]int32{int32(next()), int32(next()), int32(next())}
	}
	for i := range s.Superpoint {
		s.Superpoint[i] = next()
	}
	for i := range s.Piece {
		s.Piece[i] = next()
	}
	for i := range s.Crossing {
		s.Crossing[i] = [2]uint32{next(), next()}
	}
	return s, s.check()
}

// check makes sure that no index leads out of an array.
func (s *Seam) check() error {
	for i, p := range s.Piece {
		if p != Outside && p >= s.Pieces {
			return fmt.Errorf("damaged: point %d is of piece %d of %d", i, p, s.Pieces)
		}
	}
	for _, e := range s.Crossing {
		if int(e[0]) >= len(s.Point) || int(e[1]) >= len(s.Point) || s.Piece[e[0]] == Outside {
			return fmt.Errorf("damaged: an edge from point %d to %d of %d", e[0], e[1], len(s.Point))
		}
	}
	return nil
}
