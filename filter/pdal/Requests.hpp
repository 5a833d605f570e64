// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace superpoint
{

// Runs commands of pdal in this process, one after another, until standard input ends: a process needs more time to
// start than for a file of a few thousand points.
//
// A request is the working folder, the standard input of the command, the command and its arguments. An answer is the
// exit code and what the command printed; before it, a line with answerFollows ends what it wrote to standard error. A
// list is its length and a line feed, then its strings, each after its own length and a line feed.
void runRequests();

} // namespace superpoint
