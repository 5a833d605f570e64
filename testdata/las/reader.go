package las

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Reader reads points in file order.
type Reader struct {
	Minor   int // version 1.Minor
	Format  int // point format, 0 to 8
	Count   int // points in the file
	Extras  []Extra
	WKT     string
	scale   [3]float64
	offset  [3]float64
	record  int // bytes a point
	next    int // next point
	start   int64
	content io.ReaderAt
}

// recordSize is the bytes of point formats 0 to 8 without extra bytes.
func recordSize(format int) int { return [...]int{20, 28, 26, 34, 57, 63, 30, 36, 38}[format] }

// NewReader checks the header of a LAS file of size bytes.
func NewReader(content io.ReaderAt, size int64) (*Reader, error) {
	head := make([]byte, 375)
	n, err := content.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if n < 227 || string(head[:4]) != "LASF" {
		return nil, fmt.Errorf("not a LAS file: no LASF header in %d bytes", size)
	}
	le := binary.LittleEndian
	r := &Reader{Minor: int(head[25]), content: content}
	if head[24] != 1 || r.Minor < 2 || r.Minor > 4 {
		return nil, fmt.Errorf("LAS version %d.%d: only 1.2 to 1.4 can be read", head[24], r.Minor)
	}
	if head[104]&0x80 != 0 {
		return nil, errors.New("compressed LAZ: convert it with \"pdal translate in.laz out.las\" first")
	}
	if r.Format = int(head[104]); r.Format > 8 {
		return nil, fmt.Errorf("point format %d: only 0 to 8 can be read", r.Format)
	}
	headSize := int64(le.Uint16(head[94:]))
	least := map[int]int64{2: 227, 3: 235, 4: 375}[r.Minor]
	r.start = int64(le.Uint32(head[96:]))
	if headSize < least || int64(n) < least || r.start < headSize || r.start > size {
		return nil, fmt.Errorf("header of %d bytes and points at byte %d do not fit a LAS 1.%d file of %d bytes", headSize,
			r.start, r.Minor, size)
	}
	count := uint64(le.Uint32(head[107:]))
	if r.Minor == 4 {
		count = le.Uint64(head[247:])
	}
	for i := range 3 {
		r.scale[i] = math.Float64frombits(le.Uint64(head[131+8*i:]))
		r.offset[i] = math.Float64frombits(le.Uint64(head[155+8*i:]))
		if !(r.scale[i] > 0) || math.IsInf(r.scale[i], 0) || math.IsNaN(r.offset[i]) || math.IsInf(r.offset[i], 0) {
			return nil, fmt.Errorf("axis %d has scale %g and offset %g", i, r.scale[i], r.offset[i])
		}
	}
	if r.record = int(le.Uint16(head[105:])); r.record < recordSize(r.Format) {
		return nil, fmt.Errorf("points of %d bytes, format %d needs %d", r.record, r.Format, recordSize(r.Format))
	}
	if fits := uint64(size-r.start) / uint64(r.record); count > fits {
		return nil, fmt.Errorf("cut short: the header promises %d points, the file has room for %d", count, fits)
	}
	r.Count = int(count)
	return r, r.readRecords(headSize, int(le.Uint32(head[100:])))
}

// readRecords reads the variable length records between header and points.
func (r *Reader) readRecords(at int64, n int) error {
	le := binary.LittleEndian
	var head [54]byte
	for range n {
		if at+54 > r.start {
			return fmt.Errorf("variable length record at byte %d runs into the points at byte %d", at, r.start)
		}
		if _, err := r.content.ReadAt(head[:], at); err != nil {
			return err
		}
		user, id, size := text(head[2:18]), le.Uint16(head[18:]), int64(le.Uint16(head[20:]))
		if at += 54; at+size > r.start {
			return fmt.Errorf("variable length record %s/%d of %d bytes runs into the points at byte %d", user, id, size,
				r.start)
		}
		extra := user == "LASF_Spec" && id == 4
		wkt := user == "LASF_Projection" && id == 2112
		if extra || wkt {
			body := make([]byte, size)
			if _, err := r.content.ReadAt(body, at); err != nil {
				return err
			}
			if wkt {
				r.WKT = text(body)
			} else if err := r.setExtras(body); err != nil {
				return err
			}
		}
		at += size
	}
	return nil
}

func (r *Reader) setExtras(body []byte) (err error) {
	if r.Extras, err = parseExtras(body); err != nil {
		return err
	}
	total := recordSize(r.Format)
	for _, e := range r.Extras {
		total += e.width
	}
	if total > r.record {
		return fmt.Errorf("points of %d bytes, but format %d and %d extra dimensions need %d", r.record, r.Format,
			len(r.Extras), total)
	}
	return nil
}

// Read returns the next n points, fewer at the end, and io.EOF when none is left
// of a file that had some.
func (r *Reader) Read(n int) (*Points, error) {
	n = min(n, r.Count-r.next)
	if n <= 0 && r.next > 0 {
		return nil, io.EOF
	}
	p := newPoints(n, r.Format, r.Extras)
	p.WKT = r.WKT
	const batch = 16384
	buffer := make([]byte, min(n, batch)*r.record)
	for at := 0; at < n; at += batch {
		m := min(batch, n-at)
		raw := buffer[:m*r.record]
		if _, err := r.content.ReadAt(raw, r.start+int64(r.next)*int64(r.record)); err != nil {
			return nil, fmt.Errorf("point %d: %w", r.next, err)
		}
		for i := range m {
			r.decode(p, at+i, raw[i*r.record:(i+1)*r.record])
		}
		r.next += m
	}
	return p, nil
}
