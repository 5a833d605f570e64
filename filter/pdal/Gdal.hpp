// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Symbol.hpp"

#include <stdexcept>
#include <string>

namespace superpoint
{

// What readers and writers share of GDAL's C interface (gdal.h, cpl_error.h), which has not changed since 2.1. It is
// the GDAL of PDAL, found among the libraries of this process: PDAL's packages have no headers of GDAL, and a second
// GDAL must not be loaded. Its handles are pointers.
struct Gdal {
    void (*registerAll)() = Symbol{"GDALAllRegister"};
    void *(*driverByName)(const char *name) = Symbol{"GDALGetDriverByName"};
    const char *(*metadata)(void *object, const char *name, const char *domain) = Symbol{"GDALGetMetadataItem"};
    const char *(*version)(const char *form) = Symbol{"GDALVersionInfo"};
    void *(*open)(const char *path, unsigned flags, const char *const *drivers, const char *const *options,
                  const char *const *siblings) = Symbol{"GDALOpenEx"};
    void (*close)(void *dataset) = Symbol{"GDALClose"};
    void (*errorReset)() = Symbol{"CPLErrorReset"};
    const char *(*lastError)() = Symbol{"CPLGetLastErrorMsg"};
    void (*pushHandler)(void *handler) = Symbol{"CPLPushErrorHandler"};
    void (*popHandler)() = Symbol{"CPLPopErrorHandler"};
};

// Keeps GDAL's errors instead of printing them: the last one for lastError, and the first one, which has the cause.
class Quiet
{
public:
    explicit Quiet(const Gdal& gdal) : m_gdal(gdal)
    {
        m_before.clear();
        m_gdal.pushHandler(reinterpret_cast<void *>(&Quiet::keep));
        m_gdal.errorReset();
    }
    ~Quiet() { m_gdal.popHandler(); }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

    // All errors so far; last is the latest. The first may come from a library below GDAL and name the cause,
    // where the last one only states the failure.
    static std::string errors(const std::string& last)
    {
        if (m_before.empty())
            return last;
        const bool known = m_before.find(last) != std::string::npos;
        return known ? m_before : m_before + "; " + last;
    }

private:
    static void keep(int severity, int, const char *text)
    {
        const int failure = 3; // CE_Failure
        const std::size_t most = 1000;
        if (severity >= failure && m_before.size() < most)
            m_before += (m_before.empty() ? "" : "; ") + std::string(text);
    }

    const Gdal& m_gdal;
    inline static thread_local std::string m_before;
};

// Throws GDAL's messages.
[[noreturn]] inline void fail(const Gdal& gdal, const std::string& what)
{
    throw std::runtime_error("GDAL " + what + ": " + Quiet::errors(gdal.lastError()));
}

} // namespace superpoint
