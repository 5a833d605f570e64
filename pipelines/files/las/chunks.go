// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// The chunk table of LAZ has for each chunk its number of bytes and, if chunks have different sizes, its
// number of points. Adaptive arithmetic coding compresses the difference of each number from the chunk
// before.
//
//	Isenburg 2013, "LASzip: lossless compression of lidar data"
//	Said 2004, "Introduction to arithmetic coding: theory and practice"

// chunk is an entry of the table.
type chunk struct {
	points uint32 // 0 = not in the table
	bytes  uint32
}

// readChunks reads the entries of a table with a number of chunks.
func readChunks(from io.Reader, count int64, hasPoints bool) (all []chunk, err error) {
	d, err := newDecoder(from)
	if err != nil {
		return nil, err
	}
	const pointsContext, bytesContext = 0, 1
	numbers := newIntegers()
	last := chunk{}
	for range count {
		if hasPoints {
			last.points += numbers.difference(d, pointsContext)
		}
		last.bytes += numbers.difference(d, bytesContext)
		if d.err != nil {
			return nil, d.err
		}
		all = append(all, last)
	}
	return all, nil
}

// decoder decodes symbols of an interval that each of them divides.
type decoder struct {
	from   io.ByteReader
	value  uint32 // of the code, from the start of the interval
	length uint32 // of the interval
	err    error  // the first one; then all bytes are 0
}

const leastLength = 1 << 24 // below it the interval gets another byte

func newDecoder(from io.Reader) (*decoder, error) {
	d := &decoder{from: bufio.NewReader(from), length: 1<<32 - 1}
	for range binary.Size(d.value) {
		d.value = d.value<<8 | d.next()
	}
	return d, d.err
}

func (d *decoder) next() uint32 {
	b, err := d.from.ReadByte()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	d.err = errors.Join(d.err, err)
	return uint32(b)
}

// renormalize adds bytes until the interval is long enough.
func (d *decoder) renormalize() {
	for d.length < leastLength {
		if d.length == 0 || d.err != nil {
			d.err = errors.Join(d.err, errCode)
			d.length = leastLength
			return
		}
		d.value = d.value<<8 | d.next()
		d.length <<= 8
	}
}

var errCode = errors.New("its code is damaged")

// bits decodes a number of bits, all of whose values are as frequent.
func (d *decoder) bits(count uint) uint32 {
	const most = 16 // at a time
	if count > 19 {
		low := d.bits(most)
		return d.bits(count-most)<<most | low
	}
	d.length >>= count
	if d.length == 0 {
		d.err = errors.Join(d.err, errCode)
		return 0
	}
	bits := d.value / d.length
	d.value -= bits * d.length
	d.renormalize()
	return bits
}

// frequencies has counts of the values of a symbol so far.
type frequencies struct {
	counts  []uint32
	starts  []uint32 // of the interval of each value, in units of 1/2^startBits
	all     uint32   // of the counts when starts were computed
	cycle   uint32   // decoded symbols between two computations
	pending uint32   // until the next one
	most    uint32   // cycle
	limit   uint32   // all, above which counts are halved
	shift   uint     // bits of the starts
}

const scaled = 1 << 31

// newSymbol returns equal frequencies.
func newSymbol(values int) *frequencies {
	const startBits = 15
	n := uint32(values)
	f := &frequencies{
		counts: make([]uint32, values),
		starts: make([]uint32, values),
		cycle:  n,
		most:   (n + 6) << 3,
		limit:  1 << startBits,
		shift:  startBits,
	}
	for k := range f.counts {
		f.counts[k] = 1
	}
	f.update()
	f.cycle = (n + 6) >> 1
	f.pending = f.cycle
	return f
}

// update computes starts again.
func (f *frequencies) update() {
	f.all += f.cycle
	if f.all > f.limit {
		f.all = 0
		for k, c := range f.counts {
			f.counts[k] = (c + 1) >> 1
			f.all += f.counts[k]
		}
	}
	scale := scaled / f.all
	sum := uint32(0)
	for k, c := range f.counts {
		f.starts[k] = scale * sum >> (31 - f.shift)
		sum += c
	}
	f.cycle = min(5*f.cycle>>2, f.most)
	f.pending = f.cycle
}

// symbol decodes a value.
func (d *decoder) symbol(f *frequencies) uint32 {
	unit := d.length >> f.shift
	end := d.length
	k := len(f.starts) - 1
	for ; k > 0 && f.starts[k]*unit > d.value; k-- {
		end = f.starts[k] * unit
	}
	start := f.starts[k] * unit
	d.value -= start
	d.length = end - start
	d.renormalize()
	f.counts[k]++
	if f.pending--; f.pending == 0 {
		f.update()
	}
	return uint32(k)
}

// bitFrequencies has counts of the values of a bit so far.
type bitFrequencies struct {
	zeros, all     uint32
	start          uint32 // of the interval of 1
	cycle, pending uint32
}

const bitShift = 13

func newBit() *bitFrequencies {
	return &bitFrequencies{zeros: 1, all: 2, start: 1 << (bitShift - 1), cycle: 4, pending: 4}
}

// bit decodes a bit.
func (d *decoder) bit(f *bitFrequencies) (bit uint32) {
	start := f.start * (d.length >> bitShift)
	if d.value < start {
		d.length = start
		f.zeros++
	} else {
		d.value -= start
		d.length -= start
		bit = 1
	}
	d.renormalize()
	if f.pending--; f.pending > 0 {
		return bit
	}
	if f.all += f.cycle; f.all > 1<<bitShift {
		f.all = (f.all + 1) >> 1
		f.zeros = (f.zeros + 1) >> 1
		if f.zeros == f.all {
			f.all++
		}
	}
	f.start = f.zeros * (scaled / f.all) >> (31 - bitShift)
	f.cycle = min(5*f.cycle>>2, 64)
	f.pending = f.cycle
	return bit
}

// integers decodes differences of 32 bits: first the number of their bits, which depends on a context, then
// the first bits as a symbol, and the others.
type integers struct {
	lengths [2]*frequencies // by context
	heads   [32]*frequencies
	bit     *bitFrequencies // of differences of one bit
}

const headBits = 8

func newIntegers() *integers {
	n := &integers{bit: newBit()}
	for k := range n.lengths {
		n.lengths[k] = newSymbol(33)
	}
	return n
}

// difference decodes a difference, modulo 2^32.
func (n *integers) difference(d *decoder, context int) uint32 {
	length := uint(d.symbol(n.lengths[context]))
	switch length {
	case 0:
		return d.bit(n.bit)
	case 32:
		return 1 << 31
	}
	if n.heads[length] == nil {
		n.heads[length] = newSymbol(1 << min(length, headBits))
	}
	code := d.symbol(n.heads[length])
	if length > headBits {
		more := length - headBits
		code = code<<more | d.bits(more)
	}
	if code >= 1<<(length-1) { // positive
		return code + 1
	}
	return code - (1<<length - 1)
}
