package records

import (
	"slices"
	"testing"
)

func TestClassify(t *testing.T) {
	record := make([]byte, 30)
	record[15], record[16] = 0xe0|7, 9
	head := make([]byte, 375)
	old, new := &File{Head: slices.Clone(head)}, &File{Head: slices.Clone(head)}
	old.Head[atFormat], new.Head[atFormat] = 3, 6
	if old.Classify(record, 6); record[15] != 0xe0|6 || record[16] != 9 {
		t.Errorf("format 3: %v", record[15:17])
	}
	if new.Classify(record, 64); record[15] != 0xe0|6 || record[16] != 64 {
		t.Errorf("format 6: %v", record[15:17])
	}
}
