package survey

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"reflect"

	"superpoint/embed/atomicfile"
)

// A file of arrays has a magic number, each array after its length, little endian, and a
// CRC-32C of all this.
const arraysMagic = "SPARRAY1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // read only

// writeArrays writes a file of arrays, which are pointers to slices of numbers, and returns
// its checksum.
func writeArrays(path string, arrays []any) (sum uint32, err error) {
	return sum, atomicfile.Write(path, func(to io.Writer) error {
		buffered := bufio.NewWriterSize(to, 1<<20)
		if sum, err = encode(buffered, arrays); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// encode writes arrays in the format of decode.
func encode(to io.Writer, arrays []any) (sum uint32, err error) {
	check := crc32.New(castagnoli)
	w := io.MultiWriter(to, check)
	if _, err := io.WriteString(w, arraysMagic); err != nil {
		return 0, err
	}
	for _, a := range arrays {
		values := reflect.ValueOf(a).Elem()
		if err := binary.Write(w, binary.LittleEndian, uint64(values.Len())); err != nil {
			return 0, err
		}
		for lo := 0; lo < values.Len(); lo += arrayBlock {
			part := values.Slice(lo, min(values.Len(), lo+arrayBlock)).Interface()
			if err := binary.Write(w, binary.LittleEndian, part); err != nil {
				return 0, err
			}
		}
	}
	sum = check.Sum32()
	return sum, binary.Write(to, binary.LittleEndian, sum)
}

// arrayBlock is the number of values that are encoded at a time.
const arrayBlock = 1 << 16

// readArrays reads a file of arrays of the same types.
func readArrays(path string, arrays []any) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := decode(bufio.NewReaderSize(file, 1<<20), uint64(info.Size()), arrays); err != nil {
		return damaged(path, err)
	}
	return nil
}

var errMisfit = errors.New("its arrays do not fit together")

func damaged(path string, err error) error {
	return fmt.Errorf("%s: damaged: %w; remove it and run the survey again", path, err)
}

// decode reads arrays from at most left bytes.
func decode(from io.Reader, left uint64, arrays []any) error {
	check := crc32.New(castagnoli)
	r := io.TeeReader(from, check)
	magic := make([]byte, len(arraysMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != arraysMagic {
		return errors.New("it is not a file of arrays")
	}
	for _, a := range arrays {
		values := reflect.ValueOf(a).Elem()
		var n uint64
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return err
		}
		if size := uint64(values.Type().Elem().Size()); n > left/size {
			return fmt.Errorf("%d numbers in %d bytes", n, left)
		}
		values.Set(reflect.MakeSlice(values.Type(), int(n), int(n)))
		for lo := 0; lo < int(n); lo += arrayBlock {
			part := values.Slice(lo, min(int(n), lo+arrayBlock)).Interface()
			if err := binary.Read(r, binary.LittleEndian, part); err != nil {
				return err
			}
		}
	}
	var want uint32
	if err := binary.Read(from, binary.LittleEndian, &want); err != nil || want != check.Sum32() {
		return errors.New("the checksum is wrong")
	}
	return nil
}
