#pragma once

#include <pdal/ArtifactManager.hpp>
#include <pdal/PointView.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace superpoint
{

// What the stages and branches of one pipeline, which share a point table, know
// of each other: which of its points have an id that one of them gave, and the
// largest. A stage asks it so that no id is given twice.
class Ledger : public pdal::Artifact
{
public:
    // Returns the table's ledger for a dimension of ids.
    static std::shared_ptr<Ledger> of(pdal::PointTableRef table, const std::string& dimension);

    // Returns the largest id that this pipeline gave so far. If every point that has
    // one is in the views, and so will get a new one, that is 0 again.
    uint32_t last(const pdal::PointViewSet& views);

    // Returns the largest id of a dimension in the points of the table that are in no
    // view and have no id of this pipeline: `where` leaves them out, so they keep the
    // ids of an earlier run. PDAL does not show such points to the stage.
    uint32_t lastKept(pdal::PointTableRef table, const pdal::PointViewSet& views, pdal::Dimension::Id dimension) const;

    // Merges the points that `where` left out, which PDAL appends to a view, with the
    // first `kept` ones, so that points stay in the order in which they were read.
    static void restoreOrder(pdal::PointView& view, pdal::point_count_t kept);

    // Remembers that the points of a view have ids, up to last.
    void add(const pdal::PointView& view, uint32_t last);

private:
    bool has(pdal::PointId row) const
    {
        return row < m_given.size() && m_given[row];
    }

    std::vector<bool> m_given; // by row of the table
    uint64_t m_count = 0;      // of points in m_given
    uint32_t m_last = 0;
};

} // namespace superpoint
