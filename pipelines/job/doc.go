// SPDX-License-Identifier: BSD-3-Clause

// Package job keeps the promise that a record names the bytes that were read.
//
// A result records the SHA-256 of its inputs. The files are hashed first, and read later, often by other
// processes and by path, so another file may have taken the place of one in between, and may have left it
// again before anybody looks. Pin therefore compares the state of each file (size, times, inode, and the
// times of the folders above it) before it is hashed and after it was read. On Linux no program can set the
// time of the last change of an inode, and a rename changes it, too, so an equal state proves that all
// reading was of the content that was hashed. Elsewhere, and for small files that options name, a copy is
// made while it is hashed, and the copy is read.
//
// Not noticed are a folder above the file that is renamed away and back, and in which a file is made after
// that and before the second look, and a file system that is mounted over a folder for a while.
package job
