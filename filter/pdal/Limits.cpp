// SPDX-License-Identifier: BSD-3-Clause
#include "Library.hpp"

// Only Linux is checked: limits of these kinds are rare elsewhere.
#if !defined(__linux__)
void superpoint::checkLimits() {}
#else

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <regex>
#include <thread>

namespace superpoint
{

namespace
{

// Measured with Go 1.26 and ulimit: 1.6 GB of address space and 0.15 GB of
// data were enough on two processors, beside the stacks of threads.
const rlim_t neededAddresses = rlim_t(2) << 30;
const rlim_t neededData = rlim_t(192) << 20;

// Threads that Go starts in addition to one per processor.
const long otherThreads = 8;

// The number of threads that Go may start.
long mostThreads()
{
    cpu_set_t set;
    const long count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
    const char *given = std::getenv("GOMAXPROCS");
    const long wanted = given ? std::strtol(given, nullptr, 10) : 0;
    if (wanted > 4096) // the Go runtime needs minutes to start then
        throw Error(std::string("the environment variable GOMAXPROCS is ") + given +
                    ", above 4096; unset it, or use the option threads");
    return (wanted > 0 ? std::min(count, wanted) : count) + otherThreads;
}

// Returns an error if less of a resource is left than needed; field of /proc/self/status counts the part in
// use.
std::string shortage(int resource, const std::string& field, const char *what, rlim_t needed)
{
    rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return "";
    rlim_t taken = 0; // kB
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word && word != field;);
    file >> taken;
    if (limit.rlim_cur >= (taken << 10) + needed)
        return "";
    return "the limit of " + std::string(what) + " is " + std::to_string(limit.rlim_cur >> 20) +
           " MB, of which pdal has taken " + std::to_string(taken >> 10) + " MB; the superpoint library needs " +
           std::to_string(needed >> 20) + " MB more: raise it, or limit memory with a control group";
}

// Throws if a variable has a value with which the Go runtime ends the process at its start.
void checkVariable(const char *name, const char *valid, const char *remedy)
{
    const char *given = std::getenv(name);
    if (given && !std::regex_match(given, std::regex(valid)))
        throw Error(std::string("the environment variable ") + name + " is " + given + "; " + remedy + ", or unset it");
}

// Starts and ends threads. Returns an error if that fails (ulimit -u, a control group), or if
// beside their stacks there is too little data.
std::string tryThreads(std::size_t count)
{
    std::mutex gate;
    std::vector<std::thread> threads;
    std::string error;
    threads.reserve(count);
    gate.lock();
    try {
        while (threads.size() < count) threads.emplace_back([&gate] { const std::lock_guard<std::mutex> pass(gate); });
    } catch (const std::exception& e) {
        error = "this process may start " + std::to_string(threads.size()) + " threads more (" + e.what() +
                "), and the superpoint library needs " + std::to_string(count) +
                "; raise the limit of processes (ulimit -u, or pids.max of the control group), or set GOMAXPROCS=1";
    }
    const std::string data = shortage(RLIMIT_DATA, "VmData:", "data (ulimit -d)", neededData);
    gate.unlock();
    for (std::thread& thread : threads) thread.join();
    return data.empty() ? error : data;
}

} // unnamed namespace

void checkLimits()
{
    checkVariable("GOMEMLIMIT", "(off)?|[0-9]{1,18}B?|9223372036854775807|[0-9]{1,9}[KMG]iB|[0-9]{1,6}TiB",
                  "give bytes, as 4000000000 or 4GiB");
    checkVariable("GODEBUG", "(?!(.*,)?fips140=(?!(off|on|only|debug)?(,|$))).*", "set fips140=off");
    std::string error = shortage(RLIMIT_AS, "VmSize:", "the address space (ulimit -v)", neededAddresses);
    if (error.empty())
        error = tryThreads(mostThreads());
    if (!error.empty())
        throw Error(error);
}

} // namespace superpoint

#endif
