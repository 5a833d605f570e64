// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace superpoint
{

// As sp_host.convert in superpoint.h, but throws errors.
void convert(const std::string& from, const std::string& to, const std::string& arguments);

} // namespace superpoint
