// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <superpoint.h>

#include <pdal/SpatialReference.hpp>
#include <pdal/Stage.hpp>

#include <string>

namespace superpoint
{

// A spatial reference as PDAL understands it, as well-known text that the library reads.
class Reference
{
public:
    Reference() = default;

    // text: in any notation of PDAL's option override_srs; "": none.
    explicit Reference(const std::string& text);

    // The reference of the points of a stage. It has the GeoTIFF keys of the LAS files that are
    // read, unless the user replaces the reference by override_srs: PDAL does not read the keys of
    // all versions of LAS, and takes feet in keys without a code for metres.
    Reference(const pdal::SpatialReference& srs, pdal::Stage& stage);

    // Valid as long as this object.
    sp_reference get() const;

    // Reports whether two references are the same, in whatever notation. A system of heights that
    // only one of them names is no difference; the library compares units.
    static bool same(const std::string& a, const std::string& b);

private:
    std::string m_text, m_read, m_code, m_keys;
};

} // namespace superpoint
