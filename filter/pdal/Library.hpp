#pragma once

#include <superpoint.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace superpoint
{

// An error whose text is meant for the user.
struct Error : public std::runtime_error
{
    using std::runtime_error::runtime_error;
};

// The functions of libsuperpoint, opened at run time from the plugin's own
// folder, so that listing drivers and options never starts the Go runtime.
class Library
{
public:
    // Opens the first of the named libraries, without their ending, that lies beside
    // the plugin.
    // Throws Error if there is none, or if it has another ABI version.
    // With gpu, the library with the CUDA part goes before them if NVIDIA's driver
    // has a GPU; without, the driver is not touched.
    Library(std::vector<std::string> names, bool gpu);

    decltype(&sp_open) open;
    decltype(&sp_describe) describe;
    decltype(&sp_segment) segment;
    decltype(&sp_output) output;
    decltype(&sp_metadata) metadata;
    decltype(&sp_command) command;
    decltype(&sp_free) free;
    decltype(&sp_close) close;

    // Throws the error text of a failed call and frees it.
    [[noreturn]] void fail(char *error) const;

    // Copies a text of the library's and frees it; a null one throws error, which
    // is read only then: the call that gave the text may be an argument.
    std::string take(char *text, char *const& error) const;
};

} // namespace superpoint
