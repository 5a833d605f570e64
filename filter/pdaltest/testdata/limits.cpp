// SPDX-License-Identifier: BSD-3-Clause
// limits.cpp: checkLimits alone, without the library, whose own check would hide a fault of checkLimits.
//
//   limits as|data MEGABYTES
//
// takes 512 MB, sets the limit of address space or data to what the process has taken then and MEGABYTES more, and
// prints the error of checkLimits, or nothing.
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "../../pdal/Library.hpp"

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    // not written, so that it is data and not resident
    void *taken = mmap(nullptr, 512 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (taken == MAP_FAILED)
        return 4;
    const bool data = std::strcmp(argv[1], "data") == 0;
    const std::string field = data ? "VmData:" : "VmSize:";
    rlim_t kilobytes = 0;
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word && word != field;);
    file >> kilobytes;
    const rlim_t limit = kilobytes * 1024 + (std::strtoull(argv[2], nullptr, 10) << 20);
    const rlimit both = {limit, RLIM_INFINITY};
    if (setrlimit(data ? RLIMIT_DATA : RLIMIT_AS, &both) != 0)
        return 3;
    try {
        superpoint::checkLimits();
    } catch (const std::exception& e) {
        std::puts(e.what());
    }
    return 0;
}
