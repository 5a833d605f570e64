// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace superpoint
{

// Functions that differ between systems: System.cpp for Unix, SystemWindows.cpp.

// The suffix of a shared library.
#if defined(_WIN32)
constexpr const char *sharedLibrary = ".dll";
#elif defined(__APPLE__)
constexpr const char *sharedLibrary = ".dylib";
#else
constexpr const char *sharedLibrary = ".so";
#endif

// The folder of the plugin that this code is part of, in UTF-8; "" if it is not known.
std::string pluginFolder();

// Loads a library with local symbols, or returns null with the reason in error.
void *openLibrary(const std::string& path, std::string& error);

// The address of a function of a library or, if that is null, of any in the
// process; null if there is none.
void *findFunction(void *library, const char *name);

// A function of a library that PDAL links, by its name. The headers of such libraries are not in
// PDAL's packages, and a second copy must not be loaded.
struct Symbol
{
    const char *name;

    template <typename Pointer> operator Pointer() const
    {
        if (void *found = findFunction(nullptr, name))
            return reinterpret_cast<Pointer>(found);
        throw std::runtime_error(std::string("this PDAL has no GDAL or PROJ that other programs can use (") + name +
                                 " is missing)");
    }
};

// Reports whether standard error is a terminal or a pipe that is read.
bool readByAPerson();

// Writes as much as fits, without blocking; false if the pipe is closed.
bool writeToPipe(int pipe, const std::string& line);

} // namespace superpoint
