// SPDX-License-Identifier: BSD-3-Clause

// Command cexport builds libsuperpoint, the C library of superpoint.h, from
// package filter and its commands. boundary.c defines the C functions, which fail
// in the child of a fork, and calls the Go functions of exports.go. These return
// panics as error texts, because a panic in the host's thread would abort the
// host. The work of a call runs on its own goroutine; the calling thread waits and
// makes the host's callbacks (messages, progress, file reads), so that they run on
// no other thread.
//
// With the build tag `train` the library also has the commands that train models
// and is called libsuperpoint_train; the library that pipelines load stays small.
package main

// trainCommand is the command that only the library with training has.
const trainCommand = "train"

// main is required of a c-shared library and never runs.
func main() {}
