//go:build !linux

// SPDX-License-Identifier: BSD-3-Clause

package sources

import "io/fs"

func changed(fs.FileInfo) string { return "" }
