// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <superpoint.h>

#include <string>

namespace superpoint
{

// As sp_host.write_raster in superpoint.h, but throws errors.
void writeRaster(const std::string& path, const sp_raster& raster, uint32_t rectangles, const sp_rectangle *rectangle,
                 const float *values);

// A raster file that is read, as sp_host.read_raster, but throws errors.
class RasterFile
{
public:
    // Reads the header of the file and, into values, some rows of cells.
    const sp_raster *read(const std::string& path, uint32_t first, uint32_t rows, float *values);

private:
    sp_raster m_raster = {};
    std::string m_reference;
    std::string m_unit;
    std::string m_description;
    std::string m_layout;
};

} // namespace superpoint
