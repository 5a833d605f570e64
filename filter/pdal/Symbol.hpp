// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace superpoint
{

// A function of a library that PDAL links, by its name. The headers of such libraries are not in
// PDAL's packages, and a second copy must not be loaded.
struct Symbol {
    const char *name;

    template <typename Pointer> operator Pointer() const
    {
        if (void *found = dlsym(RTLD_DEFAULT, name))
            return reinterpret_cast<Pointer>(found);
        throw std::runtime_error(std::string("this PDAL has no GDAL or PROJ that other programs can use (") + name +
                                 " is missing)");
    }
};

} // namespace superpoint
