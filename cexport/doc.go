// Command cexport builds libsuperpoint: the C functions of superpoint.h over
// package filter and its commands. boundary.c has them and refuses the child of
// a fork; exports.go is where they go on. Every function recovers panics and turns
// them into an error text, because a panic that reached the host would abort
// it. Work runs on a goroutine of its own while the calling thread waits and
// carries log messages, progress and file reads to the host's callbacks, so a
// callback never sees a thread the host does not know.
//
// With the build tag `train` the library also carries the commands that train
// models; it is then called libsuperpoint_train, so that the one which every
// pipeline loads stays small.
package main

// trainCommand is the command that only the library with training has.
const trainCommand = "train"

// main is required of a c-shared library and never runs.
func main() {}
