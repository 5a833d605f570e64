// SPDX-License-Identifier: BSD-3-Clause

package info

import (
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/testdata/must"
)

// TestLicences: the text has the notices of the data, and names the file with those of the modules.
func TestLicences(t *testing.T) {
	var b strings.Builder
	describeLicences(&b)
	must.Say(t, b.String(), embed.Data, "BSD-3-Clause", "LICENCES")
}
