package survey

import (
	"encoding/binary"
	"math"
)

// fieldWriter returns a function that writes a value of PDAL's type kind at byte at of a
// record; nil for unknown types. A 64-bit integer is not changed if its float64 equals the
// value, because float64 has only 53 bits.
func fieldWriter(kind string, at int) func(record []byte, v float64) {
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
	case "uint64":
		return func(r []byte, v float64) {
			if float64(le.Uint64(r[at:])) != v {
				le.PutUint64(r[at:], uint64(v))
			}
		}
	case "int8":
		return func(r []byte, v float64) { r[at] = uint8(int8(v)) }
	case "int16":
		return func(r []byte, v float64) { le.PutUint16(r[at:], uint16(int16(v))) }
	case "int64":
		return func(r []byte, v float64) {
			if float64(int64(le.Uint64(r[at:]))) != v {
				le.PutUint64(r[at:], uint64(int64(v)))
			}
		}
	case "float":
		return func(r []byte, v float64) { le.PutUint32(r[at:], math.Float32bits(float32(v))) }
	case "double":
		return func(r []byte, v float64) { le.PutUint64(r[at:], math.Float64bits(v)) }
	}
	return nil
}
