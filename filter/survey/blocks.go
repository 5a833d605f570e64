package survey

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"superpoint/embed/atomicfile"
)

// A file of blocks has the same arrays many times, so that some of them can be read: the
// blocks, each a file of arrays, the index of their offsets and summaries, and the offset of
// the index.

// writeBlocks writes count blocks, each with a summary of a fixed number of values by which
// readers select blocks. It returns the checksum of all blocks.
func writeBlocks(path string, count int, block func(k int) (arrays []any, summary []float64)) (sum uint32, err error) {
	return sum, atomicfile.Write(path, func(to io.Writer) error {
		buffered, at := bufio.NewWriterSize(to, 1<<20), int64(0)
		var all index
		var sums []byte
		for k := range count {
			arrays, summary := block(k)
			numberFromOne := &counter{to: buffered}
			one, err := encode(numberFromOne, arrays)
			if err != nil {
				return err
			}
			sums = binary.LittleEndian.AppendUint32(sums, one)
			all.Begin, all.Summary = append(all.Begin, at), append(all.Summary, summary...)
			at += numberFromOne.bytes
		}
		all.Begin = append(all.Begin, at)
		sum = crc32.Checksum(sums, castagnoli)
		if _, err := encode(buffered, all.arrays()); err != nil {
			return err
		}
		if err := binary.Write(buffered, binary.LittleEndian, at); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// index has the offsets of the blocks and the end of the last, and the summaries.
type index struct {
	Begin   []int64
	Summary []float64
}

func (x *index) arrays() []any { return []any{&x.Begin, &x.Summary} }

// counter counts the bytes written.
type counter struct {
	to    io.Writer
	bytes int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.bytes += int64(n)
	return n, err
}

// readBlocks reads the blocks for which want is true into arrays, one by one, and calls see
// after each. numbers is the length of a summary.
func readBlocks(path string, numbers int, want func(k int, summary []float64) bool, arrays []any,
	see func(k int) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	x, err := readIndex(file, numbers)
	if err != nil {
		return damaged(path, err)
	}
	for k := range len(x.Begin) - 1 {
		if !want(k, x.Summary[k*numbers:(k+1)*numbers]) {
			continue
		}
		size := x.Begin[k+1] - x.Begin[k]
		part := bufio.NewReaderSize(io.NewSectionReader(file, x.Begin[k], size), 1<<18)
		if err := decode(part, uint64(size), arrays); err != nil {
			return damaged(path, err)
		}
		if err := see(k); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func readIndex(file *os.File, numbers int) (x index, err error) {
	const tail = 8
	info, err := file.Stat()
	if err != nil {
		return x, err
	}
	end := make([]byte, tail)
	if _, err := file.ReadAt(end, info.Size()-tail); err != nil {
		return x, errors.New("it is cut short")
	}
	at := int64(binary.LittleEndian.Uint64(end))
	if at < 0 || at > info.Size()-tail {
		return x, errors.New("it is cut short")
	}
	text := make([]byte, info.Size()-tail-at)
	if _, err := file.ReadAt(text, at); err != nil {
		return x, err
	}
	if err := decode(bytes.NewReader(text), uint64(len(text)), x.arrays()); err != nil {
		return x, err
	}
	for k, b := range x.Begin {
		if k > 0 && b < x.Begin[k-1] || b < 0 || b > at {
			return x, errors.New("its blocks are not in order")
		}
	}
	if len(x.Begin) == 0 || len(x.Summary) != numbers*(len(x.Begin)-1) {
		return x, errors.New("its index is inconsistent")
	}
	return x, nil
}
