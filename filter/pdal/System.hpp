#pragma once

#include <string>

namespace superpoint
{

// What each system does in its own way: System.cpp for those of Unix,
// SystemWindows.cpp.

// What a shared library's name ends in.
#if defined(_WIN32)
constexpr const char *sharedLibrary = ".dll";
#elif defined(__APPLE__)
constexpr const char *sharedLibrary = ".dylib";
#else
constexpr const char *sharedLibrary = ".so";
#endif

// The folder of the plugin that this code is part of, in UTF-8; "" if it is not known.
std::string pluginFolder();

bool fileExists(const std::string& path);

// Opens a library apart from all others, or returns null with the reason in error.
void *openLibrary(const std::string& path, std::string& error);

// The address of a function of a library or, if that is null, of any in the
// process; null if there is none.
void *findFunction(void *library, const char *name);

// Whether somebody reads the standard error as it is written.
bool readByAPerson();

// Writes what fits, without waiting; false if nobody reads any more.
bool writeToPipe(int pipe, const std::string& line);

} // namespace superpoint
