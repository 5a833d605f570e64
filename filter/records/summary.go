package records

import (
	"encoding/binary"
	"math"
	"os"
	"time"
)

// Summary has values of the header of a LAS 1.4 file, compressed or not.
type Summary struct {
	Points      int64
	Least, Most [3]float64 // X, Y and Z
	Created     time.Time  // the day; zero if the header has none
}

// ReadSummary reads the header of a file.
func ReadSummary(path string) (s Summary, err error) {
	const atDay, atYear, atBounds = 90, 92, 179
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	head, _, _, err := evlrs(f)
	if err != nil {
		return s, err
	}
	le := binary.LittleEndian
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
