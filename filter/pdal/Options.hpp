#pragma once

#include <vector>

namespace superpoint
{

// One option of the stage. Values are passed as text to the library, which checks them and has
// the defaults; `fallback` only shows the default to the user, and a test compares it with the
// library's.
struct Option
{
    const char *name;
    const char *fallback;
    const char *help;
};

// Every option of filters.superpoint, in the order of the documentation.
const std::vector<Option>& options();

} // namespace superpoint
