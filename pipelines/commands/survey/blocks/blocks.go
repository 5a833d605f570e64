// SPDX-License-Identifier: BSD-3-Clause

// Package blocks reads and writes files of arrays.
//
// A file of blocks is a ZIP archive without compression. An entry is a block: arrays, each after
// its length, little endian. The comment of an entry is the block's summary in JSON: numbers by
// which readers select blocks. ZIP has the checksums and the offsets. A file of arrays is one block.
//
// The comment of the archive is its seal: the survey and the name of the file, and a checksum of the
// summaries, for which ZIP has none. A plan has the content of all inputs, so each file of that name of
// that survey is right. Without seals, the file of another tile, which may have the same size, or of
// another survey, would be taken.
package blocks

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"reflect"
	"strconv"
)

// seal returns the comment of an archive. title is the survey and the name of the file.
func seal(title string, entries []*zip.FileHeader) string {
	sum := crc32.NewIEEE()
	for _, e := range entries {
		fmt.Fprintf(sum, "%q %q\n", e.Name, e.Comment)
	}
	return fmt.Sprintf("%s %08x", title, sum.Sum32())
}

// Write writes count blocks, whose arrays are pointers to slices of numbers, with the seal of a title,
// and returns their checksum.
func Write(to io.Writer, title string, count int, block func(k int) (arrays []any, summary []float64)) (
	sum uint32, err error) {
	archive := zip.NewWriter(to)
	entries := make([]*zip.FileHeader, count)
	for k := range entries {
		arrays, summary := block(k)
		text, err := json.Marshal(summary)
		if err != nil {
			return 0, err
		}
		entries[k] = &zip.FileHeader{Name: strconv.Itoa(k), Comment: string(text)}
		w, err := archive.CreateHeader(entries[k])
		if err == nil {
			err = encode(w, arrays)
		}
		if err != nil {
			return 0, err
		}
	}
	if err := archive.SetComment(seal(title, entries)); err != nil {
		return 0, err
	}
	if err := archive.Close(); err != nil {
		return 0, err
	}
	sums := make([]uint32, count)
	for k, e := range entries {
		sums[k] = e.CRC32
	}
	return Checksum(sums...), nil
}

// Pointers returns pointers to slices, for files of arrays.
func Pointers[T any](slices []T) (arrays []any) {
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

// Read reads the blocks for which want is true into arrays of the types that were written, one by one,
// and calls see after each. numbers is the length of a summary. It fails if the file has not the seal of the
// title.
func Read(path, title string, numbers int, want func(k int, summary []float64) bool, arrays []any,
	see func(k int) error) error {
	archive, err := zip.OpenReader(path)
	if os.IsNotExist(err) {
		return err
	}
	if err != nil {
		return Damaged(path, err)
	}
	defer archive.Close()
	entries := make([]*zip.FileHeader, len(archive.File))
	for k, entry := range archive.File {
		entries[k] = &entry.FileHeader
	}
	if archive.Comment != seal(title, entries) {
		return Damaged(path, ErrSeal)
	}
	for k, entry := range archive.File {
		var summary []float64
		if err := json.Unmarshal([]byte(entry.Comment), &summary); err != nil || len(summary) != numbers {
			return Damaged(path, ErrMisfit)
		}
		if !want(k, summary) {
			continue
		}
		if err := decode(entry, arrays); err != nil {
			return Damaged(path, err)
		}
		if err := see(k); err != nil {
			return Damaged(path, err)
		}
	}
	return nil
}

// Why a file is damaged.
var (
	ErrMisfit = errors.New("its arrays do not fit together")
	ErrSeal   = errors.New("it is of another tile, step or survey, or its directory was changed")
	ErrSum    = errors.New("it has another checksum")
)

// Damaged is the error of a file that cannot be used, with the remedy.
func Damaged(path string, err error) error {
	return fmt.Errorf("%s: damaged: %w; remove it and run the survey again", path, err)
}

// decode reads the arrays of an entry and checks its checksum.
func decode(entry *zip.File, arrays []any) error {
	r, err := entry.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	for _, array := range arrays {
		if err := decodeArray(r, reflect.ValueOf(array).Elem(), entry.UncompressedSize64); err != nil {
			return err
		}
	}
	_, err = io.Copy(io.Discard, r) // the end, where the checksum is
	return err
}

// decodeArray reads one array of an entry of size bytes: its length, and then its numbers, a block at a time.
func decodeArray(r io.Reader, array reflect.Value, size uint64) error {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return err
	}
	if length > size/uint64(array.Type().Elem().Size()) {
		return fmt.Errorf("%d numbers in %d bytes", length, size)
	}
	n := int(length)
	array.Set(reflect.MakeSlice(array.Type(), n, n))
	for lo := 0; lo < n; lo += arrayBlock {
		block := array.Slice(lo, min(n, lo+arrayBlock)).Interface()
		if err := binary.Read(r, binary.LittleEndian, block); err != nil {
			return err
		}
	}
	return nil
}

// Checksum returns a checksum of checksums.
func Checksum(sums ...uint32) uint32 {
	var body []byte
	for _, s := range sums {
		body = binary.LittleEndian.AppendUint32(body, s)
	}
	return crc32.ChecksumIEEE(body)
}
