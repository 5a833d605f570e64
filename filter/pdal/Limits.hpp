#pragma once

namespace superpoint
{

// Throws an Error if the Go runtime, which the library starts, would abort the process: it
// does so without memory or threads, and for invalid environment variables.
void checkLimits();

} // namespace superpoint
