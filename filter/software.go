// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"sync"
)

// Software identifies the build: the version, and the SHA-256 of the library's file, which has the built-in models.
// Results of another build are not kept. The library does not depend on the folder and the commit of the checkout, so a
// change of pages only does not change it.
var Software = sync.OnceValue(func() string {
	f, err := os.Open(libraryPath())
	if err != nil {
		return Version
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return Version
	}
	return fmt.Sprintf("%s, build %x", Version, sum.Sum(nil)[:8])
})
