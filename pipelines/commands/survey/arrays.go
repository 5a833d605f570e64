// SPDX-License-Identifier: BSD-3-Clause

// Package survey partitions clouds that do not fit into memory, tile by tile, as if they were one.
package survey

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"

	"superpoint/pipelines/files/atomicfile"
)

// A file of blocks is a ZIP archive without compression. An entry is a block: arrays, each after
// its length, little endian. The comment of an entry is the block's summary in JSON: numbers by
// which readers select blocks. ZIP has the checksums and the offsets. A file of arrays is one block.

// writeBlocks writes count blocks, whose arrays are pointers to slices of numbers, and returns
// their checksum.
func writeBlocks(path string, count int, block func(k int) (arrays []any, summary []float64)) (
	sum uint32, err error) {
	err = atomicfile.Write(path, func(to io.Writer) error {
		archive, entries := zip.NewWriter(to), make([]*zip.FileHeader, count)
		for k := range entries {
			arrays, summary := block(k)
			text, err := json.Marshal(summary)
			if err != nil {
				return err
			}
			entries[k] = &zip.FileHeader{Name: strconv.Itoa(k), Comment: string(text)}
			w, err := archive.CreateHeader(entries[k])
			if err == nil {
				err = encode(w, arrays)
			}
			if err != nil {
				return err
			}
		}
		if err := archive.Close(); err != nil {
			return err
		}
		sums := make([]uint32, count)
		for k, e := range entries {
			sums[k] = e.CRC32
		}
		sum = checksumOf(sums...)
		return nil
	})
	return sum, err
}

// writeArrays writes a file of arrays and returns its checksum.
func writeArrays(path string, arrays []any) (sum uint32, err error) {
	return writeBlocks(path, 1, func(int) ([]any, []float64) { return arrays, nil })
}

// pointers returns pointers to slices, for files of arrays.
func pointers[T any](slices []T) (arrays []any) {
	for k := range slices {
		arrays = append(arrays, &slices[k])
	}
	return arrays
}

// arrayBlock is the number of values that are encoded at a time.
const arrayBlock = 1 << 16

// encode writes arrays in the format of decode.
func encode(w io.Writer, arrays []any) error {
	for _, a := range arrays {
		values := reflect.ValueOf(a).Elem()
		if err := binary.Write(w, binary.LittleEndian, uint64(values.Len())); err != nil {
			return err
		}
		for lo := 0; lo < values.Len(); lo += arrayBlock {
			part := values.Slice(lo, min(values.Len(), lo+arrayBlock)).Interface()
			if err := binary.Write(w, binary.LittleEndian, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// readBlocks reads the blocks for which want is true into arrays of the types that were written,
// one by one, and calls see after each. numbers is the length of a summary.
func readBlocks(path string, numbers int, want func(k int, summary []float64) bool, arrays []any,
	see func(k int) error) error {
	archive, err := zip.OpenReader(path)
	if os.IsNotExist(err) {
		return err
	}
	if err != nil {
		return damaged(path, err)
	}
	defer archive.Close()
	for k, entry := range archive.File {
		var summary []float64
		if err := json.Unmarshal([]byte(entry.Comment), &summary); err != nil || len(summary) != numbers {
			return damaged(path, errMisfit)
		}
		if !want(k, summary) {
			continue
		}
		if err := decode(entry, arrays); err != nil {
			return damaged(path, err)
		}
		if err := see(k); err != nil {
			return damaged(path, err)
		}
	}
	return nil
}

// readArrays reads a file of arrays of the same types.
func readArrays(path string, arrays []any) error {
	return readBlocks(path, 0, func(int, []float64) bool { return true }, arrays,
		func(int) error { return nil })
}

var errMisfit = errors.New("its arrays do not fit together")

func damaged(path string, err error) error {
	return fmt.Errorf("%s: damaged: %w; remove it and run the survey again", path, err)
}

// decode reads the arrays of an entry and checks its checksum.
func decode(entry *zip.File, arrays []any) error {
	r, err := entry.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	for _, a := range arrays {
		values := reflect.ValueOf(a).Elem()
		var n uint64
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return err
		}
		if size := uint64(values.Type().Elem().Size()); n > entry.UncompressedSize64/size {
			return fmt.Errorf("%d numbers in %d bytes", n, entry.UncompressedSize64)
		}
		values.Set(reflect.MakeSlice(values.Type(), int(n), int(n)))
		for lo := 0; lo < int(n); lo += arrayBlock {
			part := values.Slice(lo, min(int(n), lo+arrayBlock)).Interface()
			if err := binary.Read(r, binary.LittleEndian, part); err != nil {
				return err
			}
		}
	}
	_, err = io.Copy(io.Discard, r) // the end, where the checksum is
	return err
}
