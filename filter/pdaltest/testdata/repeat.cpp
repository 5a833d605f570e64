// SPDX-License-Identifier: BSD-3-Clause
// Runs a pipeline many times in one process: repeat PIPELINE TIMES. Three
// quarters of the runs come one after another, the rest two at once. The process
// may take memory at first; from the first quarter on it must not grow.
#include <pdal/PipelineManager.hpp>

#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

static long resident() // kB
{
    long total = 0, pages = 0;
    std::ifstream("/proc/self/statm") >> total >> pages;
    return pages * (sysconf(_SC_PAGESIZE) >> 10);
}

static int entries(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d)) ++n;
    if (d)
        closedir(d);
    return n;
}

// Waits until there are not more descriptors than before, at most ten seconds: the workers of the stage, which outlive
// a run, have /proc/loadavg open for a moment.
static bool settles(int descriptors)
{
    for (int tries = 0; tries < 1000; ++tries) {
        if (entries("/proc/self/fd") <= descriptors)
            return true;
        usleep(10000);
    }
    return false;
}

static long run(const std::string& file)
{
    pdal::PipelineManager manager;
    manager.readPipeline(file);
    manager.prepare();
    return static_cast<long>(manager.execute());
}

int main(int, char **arguments)
try {
    const std::string file(arguments[1]);
    const int times = std::atoi(arguments[2]);
    const long points = run(file);
    long memory = 0;
    int descriptors = 0, threads = 0;
    for (int i = 0; i < times * 3 / 4; ++i) {
        if (run(file) != points)
            throw std::runtime_error("a run has other points");
        if (i == times / 4)
            memory = resident(), descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
    }
    const auto other = [&] {
        for (int i = 0; i < times / 8; ++i) run(file);
    };
    const long alone = resident();
    std::thread beside(other);
    other();
    beside.join();
    const long grown = resident() - memory;
    std::cout << times << " runs of " << points << " points: memory " << memory << " kB after a quarter, "
              << alone - memory << " kB more after three quarters, " << grown << " kB more at the end; descriptors "
              << descriptors << " and " << entries("/proc/self/fd") << ", threads " << threads << " and "
              << entries("/proc/self/task") << std::endl;
    const bool well = grown < 48 * 1024 && settles(descriptors) && entries("/proc/self/task") <= threads + 8;
    std::cout << (well ? "all well" : "not all well") << std::endl;
    return !well;
} catch (const std::exception& e) {
    std::cout << e.what() << std::endl;
    return 1;
}
