// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pdal/ArtifactManager.hpp>
#include <pdal/PointView.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace superpoint
{

// The ids of all stages and branches of one pipeline, which share a point table: the points
// with an id, and the largest id. It keeps ids unique.
class Ledger : public pdal::Artifact
{
public:
    // Returns the table's ledger for a dimension of ids.
    static std::shared_ptr<Ledger> of(pdal::PointTableRef table, const std::string& dimension);

    // Returns the largest id that this pipeline has assigned; 0 if all points with an id are in
    // the views and so get new ids.
    uint32_t last(const pdal::PointViewSet& views);

    // Returns the largest id of a dimension in points of the table that are in no view and have
    // no id of this pipeline: `where` leaves them out, so they keep the ids of an earlier run.
    // PDAL does not pass such points to the stage.
    uint32_t lastKept(pdal::PointTableRef table, const pdal::PointViewSet& views, pdal::Dimension::Id dimension) const;

    // Records that the first `count` points of a view have ids, up to last. Merges these points with the
    // others, which `where` left out and PDAL has appended, so that the order of points does not change.
    void add(pdal::PointView& view, pdal::point_count_t count, uint32_t last);

private:
    std::vector<bool> m_given; // by row of the table
    uint32_t m_last = 0;
};

} // namespace superpoint
