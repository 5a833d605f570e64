// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pdal/PointLayout.hpp>
#include <pdal/PointRef.hpp>
#include <pdal/Stage.hpp>

#include <cstdint>

namespace superpoint
{

// LAS point formats 0 to 5 have the flags synthetic, key-point and withheld in the byte of
// the class. Older versions of PDAL read that byte as Classification; newer ones have a
// dimension for each flag.
const uint8_t classFlags = 0xE0;

// In point formats 0 to 5 class 12 marks overlap. Newer versions of PDAL read it as class 0
// with the dimension Overlap, and write it as class 12 again.
const uint8_t overlapClass = 12;

// The classes of the points of all readers before a stage, as the files have them.
struct Classes {
    bool withFlags = false;                                     // Classification includes flags
    pdal::Dimension::Id overlap = pdal::Dimension::Id::Unknown; // marks class 12; Unknown if class 0 is class 0

    Classes() = default;
    Classes(pdal::Stage& stage, const pdal::PointLayout& layout);

    // Returns the value of a dimension; of Classification the class, without flags.
    double valueOf(const pdal::PointRef& point, pdal::Dimension::Id id) const;
};

} // namespace superpoint
