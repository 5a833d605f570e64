// SPDX-License-Identifier: BSD-3-Clause
// A plugin that was built for another PDAL: the test sets the version macros.
#include "Version.hpp"

extern "C" void PF_initPlugin()
{
    if (superpoint::builtForThisPdal("filters.superpoint"))
        std::cerr << "accepted\n";
}
