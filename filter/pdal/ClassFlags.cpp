#include "ClassFlags.hpp"

namespace superpoint
{

namespace
{

// Reports whether all readers before a stage read LAS of point formats 0 to 5.
bool readsOldFormats(pdal::Stage& stage)
{
    if (stage.getInputs().empty())
    {
        const pdal::MetadataNode format = stage.getMetadata().findChild("dataformat_id");
        return stage.getName() == "readers.las" && format.valid() && format.value<int>() < 6;
    }
    for (pdal::Stage *input : stage.getInputs())
        if (!readsOldFormats(*input))
            return false;
    return true;
}

} // namespace

bool readsClassFlags(pdal::Stage& stage, const pdal::PointLayout& layout)
{
    return layout.findDim("Withheld") == pdal::Dimension::Id::Unknown && readsOldFormats(stage);
}

pdal::Dimension::Id overlapOfClass(pdal::Stage& stage, const pdal::PointLayout& layout)
{
    return readsOldFormats(stage) ? layout.findDim("Overlap") : pdal::Dimension::Id::Unknown;
}

} // namespace superpoint
