#pragma once

#include <pdal/PointLayout.hpp>
#include <pdal/Stage.hpp>

#include <cstdint>

namespace superpoint
{

// LAS point formats 0 to 5 have the flags synthetic, key-point and withheld in the byte of
// the class. Older versions of PDAL read that byte as Classification; newer ones have a
// dimension for each flag.
const uint8_t classFlags = 0xE0;

// Reports whether Classification includes flags in the points of all readers before a stage.
bool readsClassFlags(pdal::Stage& stage, const pdal::PointLayout& layout);

// In point formats 0 to 5 class 12 marks overlap. Newer versions of PDAL read it as class 0
// with the dimension Overlap, and write it as class 12 again.
const uint8_t overlapClass = 12;

// Returns the dimension by which the points of all readers before a stage have class 12, or
// Unknown if class 0 is class 0.
pdal::Dimension::Id overlapOfClass(pdal::Stage& stage, const pdal::PointLayout& layout);

} // namespace superpoint
