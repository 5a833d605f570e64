package records

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// What made a file is recorded in it, as an extended variable length record of LAS 1.4.
// The record is the last thing in the file, so a file that was cut short has none, and
// it stays with the file when that is moved. Formats and versions of PDAL pass it over.
const (
	madeUser, madeID = "superpoint", 1
	madeHelp         = "what made this file, as JSON"
	evlrHead         = 60
	mostMade         = 1 << 20 // bytes
)

// evlrs reads where the extended records of a LAS 1.4 file, packed or not, begin and how
// many there are.
func evlrs(f *os.File) (head []byte, at int64, count uint32, err error) {
	head = make([]byte, header14)
	if _, err := f.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, []byte("LASF")) || head[25] < 4 {
		return nil, 0, 0, fmt.Errorf("%s: not a LAS 1.4 file", f.Name())
	}
	le := binary.LittleEndian
	return head, int64(le.Uint64(head[atEVLRStart:])), le.Uint32(head[atEVLRs:]), nil
}

// SetMade appends what made a LAS 1.4 file to it.
func SetMade(path string, text []byte) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	head, at, count, err := evlrs(f)
	if err != nil {
		return err
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	if count == 0 {
		at = end
	}
	record := make([]byte, evlrHead, evlrHead+len(text))
	copy(record[2:18], madeUser)
	le.PutUint16(record[18:], madeID)
	le.PutUint64(record[20:], uint64(len(text)))
	copy(record[28:], madeHelp)
	if _, err := f.WriteAt(append(record, text...), end); err != nil {
		return err
	}
	le.PutUint64(head[atEVLRStart:], uint64(at))
	le.PutUint32(head[atEVLRs:], count+1)
	_, err = f.WriteAt(head[atEVLRStart:atEVLRs+4], atEVLRStart)
	return err
}

// Made returns what made a file, as SetMade recorded it; nil if nothing says so, or if
// there is no such file.
func Made(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	_, at, count, err := evlrs(f)
	if err != nil {
		return nil
	}
	var text []byte
	le, record := binary.LittleEndian, make([]byte, evlrHead)
	for range count {
		if _, err := f.ReadAt(record, at); err != nil {
			return nil
		}
		size := le.Uint64(record[20:])
		if size > 1<<40 {
			return nil
		}
		user := string(bytes.TrimRight(record[2:18], "\x00"))
		if user == madeUser && le.Uint16(record[18:]) == madeID && size <= mostMade {
			text = make([]byte, size)
			if _, err := f.ReadAt(text, at+evlrHead); err != nil {
				return nil
			}
		}
		at += evlrHead + int64(size)
	}
	return text
}
