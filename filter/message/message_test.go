// SPDX-License-Identifier: BSD-3-Clause

package message_test

import (
	"testing"

	"superpoint/filter/message"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 points", 1: "1 point", 2: "2 points", 1234567: "1,234,567 points"} {
		if got := message.Count(n, "point"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := message.Count(2, "class"); got != "2 classes" {
		t.Error(got)
	}
}
