#pragma once

#include <string>
#include <utility>
#include <vector>

namespace superpoint
{

// One option of the stage. Values cross to the library as text, which checks
// them and has the defaults; `fallback` only shows the default to the user, and
// a test compares it with the library's.
struct Option
{
    const char *name;
    const char *fallback;
    const char *help;
};

// Every option of filters.superpoint, in the order of the documentation.
const std::vector<Option>& options();

// One option that the user set, with the value as it was written.
struct Setting
{
    const Option *option;
    std::string value;
};

// The settings as one JSON object, the form in which the library takes them.
std::string toJson(const std::vector<Setting>& settings);

// The members of a JSON object, their values as JSON text.
std::vector<std::pair<std::string, std::string>> members(const std::string& json);

} // namespace superpoint
