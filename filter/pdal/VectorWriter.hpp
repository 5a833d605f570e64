// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace superpoint
{

// As sp_host.convert in superpoint.h, but throws errors. It uses the GDAL of PDAL, found among the
// libraries of this process: PDAL's packages have no headers of GDAL, and a second GDAL must not be
// loaded. It calls only functions of GDAL's C interface that have not changed since 2.1.
void convert(const std::string& from, const std::string& to, const std::string& arguments);

} // namespace superpoint
