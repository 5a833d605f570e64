#include "ClassFlags.hpp"

namespace superpoint
{

bool readsClassFlags(pdal::Stage& stage, const pdal::PointLayout& layout)
{
    if (layout.findDim("Withheld") != pdal::Dimension::Id::Unknown)
        return false;
    if (stage.getInputs().empty())
    {
        const pdal::MetadataNode format = stage.getMetadata().findChild("dataformat_id");
        return stage.getName() == "readers.las" && format.valid() && format.value<int>() < 6;
    }
    for (pdal::Stage *input : stage.getInputs())
        if (!readsClassFlags(*input, layout))
            return false;
    return true;
}

} // namespace superpoint
