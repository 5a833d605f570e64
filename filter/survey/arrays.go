package survey

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"reflect"

	"superpoint/embed/whole"
)

// Files of arrays: magic, then each array with its length, all little endian, and
// a CRC-32C of all that.
const arraysMagic = "SPARRAY1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // read only

// writeArrays writes slices of numbers, given by pointers, and returns their
// checksum.
func writeArrays(path string, arrays []any) (sum uint32, err error) {
	return sum, whole.Write(path, func(to io.Writer) error {
		buffered := bufio.NewWriterSize(to, 1<<20)
		check := crc32.New(castagnoli)
		w := io.MultiWriter(buffered, check)
		if _, err := io.WriteString(w, arraysMagic); err != nil {
			return err
		}
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
		sum = check.Sum32()
		if err := binary.Write(buffered, binary.LittleEndian, sum); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// arrayBlock is how many numbers are turned into bytes at a time.
const arrayBlock = 1 << 16

// readArrays fills slices of numbers from a file of the same ones.
func readArrays(path string, arrays []any) (sum uint32, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	damaged := func(what string) error {
		return fmt.Errorf("%s: damaged: %s; remove it and start again", path, what)
	}
	check := crc32.New(castagnoli)
	buffered := bufio.NewReaderSize(file, 1<<20)
	r := io.TeeReader(buffered, check)
	magic := make([]byte, len(arraysMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != arraysMagic {
		return 0, damaged("it is no file of arrays")
	}
	left := uint64(info.Size())
	for _, a := range arrays {
		values := reflect.ValueOf(a).Elem()
		var n uint64
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return 0, damaged(err.Error())
		}
		if size := uint64(values.Type().Elem().Size()); n > left/size {
			return 0, damaged(fmt.Sprintf("%d numbers in %d bytes", n, left))
		}
		values.Set(reflect.MakeSlice(values.Type(), int(n), int(n)))
		for lo := 0; lo < int(n); lo += arrayBlock {
			part := values.Slice(lo, min(int(n), lo+arrayBlock)).Interface()
			if err := binary.Read(r, binary.LittleEndian, part); err != nil {
				return 0, damaged(err.Error())
			}
		}
	}
	sum = check.Sum32()
	var want uint32
	if err := binary.Read(buffered, binary.LittleEndian, &want); err != nil || want != sum {
		return 0, damaged("the checksum is wrong")
	}
	return sum, nil
}
