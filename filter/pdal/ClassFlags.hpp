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

} // namespace superpoint
