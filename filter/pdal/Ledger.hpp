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

    // Returns the largest id so far. If every point that has an id is in the
    // views, and so will get a new one, that is 0 again.
    uint32_t last(const pdal::PointViewSet& views);

    // Sets dimensions to 0 in all points of the table but those of the views
    // and those that have an id of this pipeline. A file may hold ids of an
    // earlier run, which `where` leaves out now: PDAL does not show such points
    // to the stage.
    void clearOthers(pdal::PointTableRef table, const pdal::PointViewSet& views,
                     const std::vector<pdal::Dimension::Id>& dimensions) const;

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
