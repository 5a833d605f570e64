#pragma once

namespace superpoint
{

// Throws an Error if the Go runtime, which the library starts, would end the
// process here: it gives up without a word to its host where it gets no memory
// or no threads, and where its environment variables make no sense.
void checkLimits();

} // namespace superpoint
