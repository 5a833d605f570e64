// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <superpoint.h>

#include <pdal/SpatialReference.hpp>
#include <pdal/Stage.hpp>

#include <string>

namespace superpoint
{

// A spatial reference as PDAL's PROJ understands it. PROJ is found among the libraries of this
// process, as GDAL is by VectorWriter; without it only the text is known, which the library then
// reads as far as it can. Of PROJ it calls only functions that all versions since 6.2 have.
class Reference
{
public:
    Reference() = default;

    // text: in any notation of PDAL's option override_srs; "": none.
    explicit Reference(const std::string& text);

    // That of the points of a stage. It has the GeoTIFF keys of the LAS files that are read, unless
    // the user replaces the reference by override_srs: PDAL does not read the keys of all versions
    // of LAS, and takes feet in keys without a code for metres.
    Reference(const pdal::SpatialReference& srs, pdal::Stage& stage);

    // Valid as long as this object.
    sp_reference get() const;

    // Reports whether two references are the same in X, Y and Z, in whatever notation. A system of
    // heights that only one of them names is no difference, if the units are equal.
    static bool same(const std::string& a, const std::string& b);

private:
    std::string m_text, m_name, m_keys;
    sp_reference m_values{};
};

} // namespace superpoint
