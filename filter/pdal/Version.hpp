// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pdal/pdal_config.hpp>
#include <pdal/pdal_features.hpp>

#include <iostream>

namespace superpoint
{

// PDAL does not check the version of plugins, and the layout of its classes changes between
// minor versions. So a plugin built for another version does not register.
inline bool builtForThisPdal(const char *plugin)
{
    using namespace pdal::Config;
    if (versionMajor() == PDAL_VERSION_MAJOR && versionMinor() == PDAL_VERSION_MINOR)
        return true;
    std::cerr << plugin << ": built for PDAL " << PDAL_VERSION_MAJOR << "." << PDAL_VERSION_MINOR << ", this is PDAL "
              << versionString() << "; build superpoint again with this PDAL (make)\n";
    return false;
}

} // namespace superpoint
