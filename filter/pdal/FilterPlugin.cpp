#include "SuperpointFilter.hpp"
#include "Version.hpp"

#include <pdal/PluginHelper.hpp>

// Called by PDAL after it has loaded the plugin.
extern "C" void PF_initPlugin()
{
    if (!superpoint::builtForThisPdal("filters.superpoint"))
        return;
    static const pdal::PluginInfo info("filters.superpoint",
                                       "Oversegments points into superpoints: small, connected, uniform pieces",
                                       "https://doi.org/10.1109/CVPR.2019.00762");
    pdal::PluginManager<pdal::Stage>::registerPlugin<superpoint::SuperpointFilter>(info);
}
