// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// Fields of an Optech CSD file (pdal.org/stages/readers.optech.html).
const (
	csdHead      = 128 // bytes up to the number of records, with it
	atCSDHead    = 104 // bytes of the header
	atCSDRecords = 124
	csdRecord    = 69 // bytes of a pulse
	atCSDReturns = 8  // in a record
	csdReturns   = 4  // at most, of a pulse
)

// inspectOptech returns the number of returns in an Optech file. PDAL does not look for its end: it repeats
// the last pulses, without end if the header counts many.
func inspectOptech(l *lines) (points int64, err error) {
	head := make([]byte, csdHead)
	if _, err := io.ReadFull(l.from, head); err != nil || !strings.HasPrefix(string(head), "CSD\x00") {
		return Unknown, nil // PDAL gives the reason
	}
	length := int64(binary.LittleEndian.Uint16(head[atCSDHead:]))
	records := int64(binary.LittleEndian.Uint32(head[atCSDRecords:]))
	if length < csdHead {
		return 0, fmt.Errorf("its header has %d bytes by itself: it is damaged; copy or download it again",
			length)
	}
	if err := checkRecords(records, csdRecord, l.size-length); err != nil {
		return 0, err
	}
	if _, err := l.from.Discard(int(length) - len(head)); err != nil {
		return 0, err
	}
	record := make([]byte, csdRecord)
	for range records {
		if _, err := io.ReadFull(l.from, record); err != nil {
			return 0, err
		}
		points += min(csdReturns, int64(record[atCSDReturns]))
	}
	return points, nil
}
