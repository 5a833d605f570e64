// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"time"
)

// The provenance of a file is in an extended variable length record of LAS 1.4 at its end, so a
// truncated file has none. PDAL ignores the record.
const (
	madeUser, madeID = "superpoint", 1
	madeHelp         = "what made this file, as JSON"
	mostMade         = 1 << 20 // bytes
)

// evlrs returns the header of a LAS 1.4 file, compressed or not, and offset and number of its
// extended records.
func evlrs(f *os.File) (head []byte, at int64, count uint32, err error) {
	head = make([]byte, header14)
	if _, err := f.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, []byte("LASF")) || head[atMinor] < extended {
		return nil, 0, 0, fmt.Errorf("%s: not a LAS 1.4 file", f.Name())
	}
	return head, int64(le.Uint64(head[atEVLRStart:])), le.Uint32(head[atEVLRs:]), nil
}

// SetMade appends the provenance, as JSON, to a LAS 1.4 file.
func SetMade(path string, made any) (err error) {
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
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

// Made reads what SetMade wrote, and reports whether the file exists and has it.
func Made(path string, made any) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	_, at, count, err := evlrs(f)
	if err != nil {
		return false
	}
	var text []byte
	record := make([]byte, evlrHead)
	for range count {
		if _, err := f.ReadAt(record, at); err != nil {
			return false
		}
		size := le.Uint64(record[20:])
		if size > 1<<40 {
			return false
		}
		user := string(bytes.TrimRight(record[2:18], "\x00"))
		if user == madeUser && le.Uint16(record[18:]) == madeID && size <= mostMade {
			text = make([]byte, size)
			if _, err := f.ReadAt(text, at+evlrHead); err != nil {
				return false
			}
		}
		at += evlrHead + int64(size)
	}
	return json.Unmarshal(text, made) == nil
}

// Summary has values of the header of a LAS 1.4 file, compressed or not.
type Summary struct {
	Points      int64
	Least, Most [3]float64 // X, Y and Z
	Created     time.Time  // the day; zero if the header has none
}

// ReadSummary reads the header of a file.
func ReadSummary(path string) (s Summary, err error) {
	const atDay, atYear = 90, 92
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	head, _, _, err := evlrs(f)
	if err != nil {
		return s, err
	}
	s.Points = int64(le.Uint64(head[atCount:]))
	for k := range 3 {
		s.Most[k] = math.Float64frombits(le.Uint64(head[atBounds+16*k:]))
		s.Least[k] = math.Float64frombits(le.Uint64(head[atBounds+16*k+8:]))
	}
	if day, year := le.Uint16(head[atDay:]), le.Uint16(head[atYear:]); day > 0 && year > 0 {
		s.Created = time.Date(int(year), 1, int(day), 0, 0, 0, 0, time.UTC)
	}
	return s, nil
}
