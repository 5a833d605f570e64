#pragma once

#include <string>

namespace superpoint
{

// Writes vector files through the GDAL that PDAL itself uses, found among the
// libraries of this process: PDAL's packages bring GDAL without its headers, and
// a second GDAL beside PDAL's must not be loaded. Only functions of GDAL's C
// interface that are unchanged since 2.1 are called.
class VectorWriter
{
public:
    // As sp_host.convert in superpoint.h. The text is valid until the next call.
    const char *convert(const char *from, const char *to, const char *arguments);

private:
    std::string m_error;
};

} // namespace superpoint
