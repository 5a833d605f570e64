// SPDX-License-Identifier: BSD-3-Clause

package survey

import "strings"

// shellQuoted returns text as one word of a shell.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
