// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Version is the version of the filter, as metadata and commands show it.
const Version = "0.2.0"

// cudaSuffix is behind the name of the library that uses GPUs.
const cudaSuffix = "_cuda"

// Software identifies the build: the version, and the SHA-256 of the library's file, which has the built-in
// models. Results of another build are not kept. The library does not depend on the folder and the commit of
// the checkout, so a change of pages only does not change it. A machine with a GPU opens the library with
// CUDA, whose results are equal: it counts as the one beside it, so that machines of both kinds can share a
// survey.
var Software = sync.OnceValue(func() string {
	path := libraryPath()
	f, err := os.Open(filepath.Join(filepath.Dir(path), strings.Replace(filepath.Base(path),
		cudaSuffix, "", 1)))
	if err != nil {
		f, err = os.Open(path)
	}
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
