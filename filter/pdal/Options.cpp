#include "Options.hpp"

namespace superpoint
{

const std::vector<Option>& options()
{
    static const std::vector<Option> all{
#include "options.inc"
    };
    return all;
}

} // namespace superpoint
