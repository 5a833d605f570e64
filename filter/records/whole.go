package records

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// CheckLAZ checks that a LAZ file has so many points and all of its chunks: the
// table of chunks, written last, lies inside the file. A writer that met a full
// disk may not have said so.
func CheckLAZ(path string, points int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	head, table := make([]byte, header14), make([]byte, 8)
	if _, err := f.ReadAt(head, 0); err != nil {
		return fmt.Errorf("%s: %w (is the disk full?)", path, err)
	}
	le := binary.LittleEndian
	if n := le.Uint64(head[atCount:]); n != uint64(points) {
		return fmt.Errorf("%s has %d of %d points (is the disk full?)", path, n, points)
	}
	data := int64(le.Uint32(head[atData:]))
	if _, err := f.ReadAt(table, data); err != nil {
		return fmt.Errorf("%s: %w (is the disk full?)", path, err)
	}
	if at := int64(le.Uint64(table)); at <= data || at+8 > size {
		return fmt.Errorf("%s was cut short (is the disk full?)", path)
	}
	return nil
}

// CheckWhole checks that an uncompressed LAS file of any version has all the
// points its header tells of: readers fill up a file that was cut short. Files of
// other formats pass.
func CheckWhole(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // not a local file
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	head := make([]byte, header14)
	n, _ := f.ReadAt(head, 0)
	if n < 227 || !bytes.HasPrefix(head, []byte("LASF")) || head[atFormat]&0x80 != 0 {
		return nil
	}
	le := binary.LittleEndian
	count := uint64(le.Uint32(head[atLegacyCount:]))
	if head[25] >= 4 && n >= header14 {
		count = le.Uint64(head[atCount:])
	}
	data, length := int64(le.Uint32(head[atData:])), uint64(max(1, le.Uint16(head[atLength:])))
	if whole := uint64(max(0, size-data)) / length; count > whole {
		return fmt.Errorf("the file was cut short: it has room for %d of %d points", whole, count)
	}
	return nil
}
