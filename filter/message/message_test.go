// SPDX-License-Identifier: BSD-3-Clause

package message_test

import (
	"testing"

	"superpoint/filter/message"
	"superpoint/testdata/must"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 points", 1: "1 point", 2: "2 points", 1234567: "1,234,567 points"} {
		must.Equal(t, message.Count(n, "point"), want, "%d points", n)
	}
	must.Equal(t, message.Count(2, "class"), "2 classes", "two classes")
}
