#pragma once

#include <string>

namespace superpoint
{

// Writes vector files with the GDAL of PDAL, found among the libraries of this process: PDAL's
// packages have no headers of GDAL, and a second GDAL must not be loaded. It calls only
// functions of GDAL's C interface that have not changed since 2.1.
class VectorWriter
{
public:
    // As sp_host.convert in superpoint.h. The text is valid until the next call.
    const char *convert(const char *from, const char *to, const char *arguments);

private:
    std::string m_error;
};

} // namespace superpoint
