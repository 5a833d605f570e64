package survey

import (
	"encoding/binary"
	"math"
)

// putter returns what writes a value of a type at its place in a record; nil for
// types that no output has.
func putter(kind string, at int) func(record []byte, v float64) {
	le := binary.LittleEndian
	switch kind {
	case "uint8":
		return func(r []byte, v float64) { r[at] = uint8(v) }
	case "uint16":
		return func(r []byte, v float64) { le.PutUint16(r[at:], uint16(v)) }
	case "uint32":
		return func(r []byte, v float64) { le.PutUint32(r[at:], uint32(v)) }
	case "int32":
		return func(r []byte, v float64) { le.PutUint32(r[at:], uint32(int32(v))) }
	case "float":
		return func(r []byte, v float64) { le.PutUint32(r[at:], math.Float32bits(float32(v))) }
	}
	return nil
}
