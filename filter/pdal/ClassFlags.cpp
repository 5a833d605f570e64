// SPDX-License-Identifier: BSD-3-Clause
#include "ClassFlags.hpp"

namespace superpoint
{

namespace
{

// Reports whether all readers before a stage read LAS of point formats 0 to 5.
bool readsOldFormats(pdal::Stage& stage)
{
    if (stage.getInputs().empty()) {
        const pdal::MetadataNode format = stage.getMetadata().findChild("dataformat_id");
        return stage.getName() == "readers.las" && format.valid() && format.value<int>() < 6;
    }
    for (pdal::Stage *input : stage.getInputs())
        if (!readsOldFormats(*input))
            return false;
    return true;
}

} // namespace

Classes::Classes(pdal::Stage& stage, const pdal::PointLayout& layout)
{
    if (!readsOldFormats(stage))
        return;
    withFlags = layout.findDim("Withheld") == pdal::Dimension::Id::Unknown;
    overlap = layout.findDim("Overlap");
}

double Classes::valueOf(const pdal::PointRef& point, pdal::Dimension::Id id) const
{
    if (id != pdal::Dimension::Id::Classification)
        return point.getFieldAs<double>(id);
    if (withFlags)
        return point.getFieldAs<uint8_t>(id) & ~classFlags;
    const double value = point.getFieldAs<double>(id);
    if (value == 0 && overlap != pdal::Dimension::Id::Unknown && point.getFieldAs<uint8_t>(overlap) != 0)
        return overlapClass;
    return value;
}

} // namespace superpoint
