// SPDX-License-Identifier: BSD-3-Clause

// Package filestate reports whether a file has changed between two moments, without reading it: by its size,
// its times, its inode, and the times of the folders above it. Memo keeps what was computed from a file until
// the file changes.
package filestate
