// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <superpoint.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace superpoint
{

// An error whose text is meant for the user.
struct Error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws an Error if the Go runtime, which the library starts, would abort the process: it
// does so without memory or threads.
void checkLimits();

// The functions of libsuperpoint, loaded at run time from the plugin's folder, so that listing
// drivers and options never starts the Go runtime.
class Library
{
public:
    // Loads the first of the named libraries, without suffix, that is beside the plugin.
    // Throws Error if there is none, or if it has another ABI version. With gpu, the library
    // with CUDA is preferred if NVIDIA's driver has a GPU; without gpu, the driver is not used.
    Library(std::vector<std::string> names, bool gpu);

    decltype(&sp_open) open;
    decltype(&sp_describe) describe;
    decltype(&sp_segment) segment;
    decltype(&sp_output) output;
    decltype(&sp_metadata) metadata;
    decltype(&sp_command) command;
    decltype(&sp_free) free;
    decltype(&sp_close) close;

    // Calls one of them, whose last argument is for an error, and throws that if the result is 0 or null.
    template <typename Function, typename... Arguments> auto call(Function function, const Arguments&...arguments) const
    {
        char *error = nullptr;
        const auto result = function(arguments..., &error);
        if (!result)
            throw Error(error ? take(error) : "unknown error");
        return result;
    }

    // Copies a text of the library and frees it.
    std::string take(char *text) const;
};

} // namespace superpoint
