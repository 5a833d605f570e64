package las

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// ExtraType is the data_type code of an extra-bytes descriptor (LAS 1.4 R15,
// table 24); codes above Float64 are deprecated and refused.
type ExtraType uint8

// The data types of extra bytes.
const (
	Uint8 ExtraType = iota + 1
	Int8
	Uint16
	Int16
	Uint32
	Int32
	Uint64
	Int64
	Float32
	Float64
)

// Size returns the bytes of one value, 0 for an unknown type.
func (t ExtraType) Size() int {
	if t < Uint8 || t > Float64 {
		return 0
	}
	return [...]int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8}[t-1]
}

// Extra describes one extra-bytes dimension.
type Extra struct {
	Name  string // at most 32 bytes
	Type  ExtraType
	scale float64
	shift float64
	width int // bytes in a record
}

const (
	extraRecord  = 192 // bytes of one descriptor
	hasScaleBit  = 1 << 3
	hasOffsetBit = 1 << 4
)

func parseExtras(b []byte) ([]Extra, error) {
	if len(b)%extraRecord != 0 {
		return nil, fmt.Errorf("extra-bytes descriptors of %d bytes, not a multiple of %d", len(b), extraRecord)
	}
	var list []Extra
	for ; len(b) > 0; b = b[extraRecord:] {
		e := Extra{Name: text(b[4:36]), Type: ExtraType(b[2]), scale: 1}
		if e.Type == 0 { // undocumented bytes, their number is in the options
			e.width = int(b[3])
			list = append(list, e)
			continue
		}
		if e.width = e.Type.Size(); e.width == 0 {
			return nil, fmt.Errorf("extra dimension %q has unknown data type %d", e.Name, b[2])
		}
		if b[3]&hasScaleBit != 0 {
			e.scale = math.Float64frombits(binary.LittleEndian.Uint64(b[112:]))
		}
		if b[3]&hasOffsetBit != 0 {
			e.shift = math.Float64frombits(binary.LittleEndian.Uint64(b[136:]))
		}
		list = append(list, e)
	}
	return list, nil
}

func (e Extra) descriptor() []byte {
	b := make([]byte, extraRecord)
	b[2] = byte(e.Type)
	copy(b[4:36], e.Name)
	return b
}

func (e Extra) get(b []byte) float64 {
	le := binary.LittleEndian
	var v float64
	switch e.Type {
	case Uint8:
		v = float64(b[0])
	case Int8:
		v = float64(int8(b[0]))
	case Uint16:
		v = float64(le.Uint16(b))
	case Int16:
		v = float64(int16(le.Uint16(b)))
	case Uint32:
		v = float64(le.Uint32(b))
	case Int32:
		v = float64(int32(le.Uint32(b)))
	case Uint64:
		v = float64(le.Uint64(b))
	case Int64:
		v = float64(int64(le.Uint64(b)))
	case Float32:
		v = float64(math.Float32frombits(le.Uint32(b)))
	case Float64:
		v = math.Float64frombits(le.Uint64(b))
	}
	return v*e.scale + e.shift
}

func (e Extra) put(b []byte, v float64) {
	le := binary.LittleEndian
	switch e.Type {
	case Uint8, Int8:
		b[0] = byte(int64(v))
	case Uint16, Int16:
		le.PutUint16(b, uint16(int64(v)))
	case Uint32, Int32:
		le.PutUint32(b, uint32(int64(v)))
	case Uint64:
		le.PutUint64(b, uint64(v))
	case Int64:
		le.PutUint64(b, uint64(int64(v)))
	case Float32:
		le.PutUint32(b, math.Float32bits(float32(v)))
	case Float64:
		le.PutUint64(b, math.Float64bits(v))
	}
}

func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}
