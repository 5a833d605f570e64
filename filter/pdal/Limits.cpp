#include "Library.hpp"

// Only Linux is checked: limits of these kinds are rare elsewhere.
#if !defined(__linux__)
void superpoint::checkLimits()
{
}
#else

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace superpoint
{

namespace
{

// Measured with Go 1.26 and ulimit: 1.6 GB of address space and 0.15 GB of
// data were enough on two processors. Threads come on top, with their stacks.
const rlim_t neededAddresses = rlim_t(2) << 30;
const rlim_t neededData = rlim_t(192) << 20;

// Above this number the Go runtime needs minutes to start.
const long mostProcessors = 4096;

// Threads that Go starts in addition to one per processor.
const long otherThreads = 8;

// The number of processors of this process, counted as in Go.
long processors()
{
    cpu_set_t set;
    long count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
    if (const char *text = std::getenv("GOMAXPROCS"))
    {
        char *end;
        const long wanted = std::strtol(text, &end, 10);
        if (end != text && *end == 0 && wanted > mostProcessors)
            throw Error("the environment variable GOMAXPROCS is " + std::string(text) + ", above " +
                        std::to_string(mostProcessors) + "; unset it, or use the option threads");
        if (end != text && *end == 0 && wanted > 0)
            count = std::min(count, wanted);
    }
    return count;
}

// GOMEMLIMIT: off, or a number of bytes with or without the suffix B, KiB, MiB, GiB, TiB.
void checkMemoryVariable()
{
    const char *text = std::getenv("GOMEMLIMIT");
    if (!text || !*text || std::strcmp(text, "off") == 0)
        return;
    const std::size_t digits = std::strspn(text, "0123456789");
    const std::string unit(text + digits);
    const bool known = unit.empty() || unit == "B" || unit == "KiB" || unit == "MiB" || unit == "GiB" || unit == "TiB";
    if (digits == 0 || digits > 15 || !known)
        throw Error("the environment variable GOMEMLIMIT is '" + std::string(text) +
                    "', which Go cannot read; unset it, or give for example 4GiB");
}

// A line of /proc/self/status, in bytes.
rlim_t taken(const char *name)
{
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
    {
        rlim_t kilobytes;
        if (word == name && file >> kilobytes)
            return kilobytes << 10;
    }
    return 0;
}

void checkResource(int resource, const char *name, const char *what, rlim_t needed)
{
    rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    const rlim_t has = taken(name);
    if (limit.rlim_cur < has + needed)
        throw Error("the limit of " + std::string(what) + " is " + std::to_string(limit.rlim_cur >> 20) +
                    " MB, of which pdal has taken " + std::to_string(has >> 20) + " MB; the superpoint library needs " +
                    std::to_string(needed >> 20) + " MB more: raise it, or limit memory with a control group");
}

rlim_t stackSize()
{
    pthread_attr_t attributes;
    std::size_t size = 8u << 20;
    if (pthread_attr_init(&attributes) == 0)
    {
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
    }
    return size;
}

// Starts and ends as many threads as Go may start, so that any limit (ulimit -u, a control
// group, memory for stacks) is found before.
void tryThreads(long count)
{
    struct Gate
    {
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

        static void *pass(void *gate)
        {
            pthread_mutex_lock(&static_cast<Gate *>(gate)->mutex);
            pthread_mutex_unlock(&static_cast<Gate *>(gate)->mutex);
            return nullptr;
        }
    } gate;

    std::vector<pthread_t> threads;
    threads.reserve(count);
    int status = 0;
    pthread_mutex_lock(&gate.mutex);
    for (pthread_t thread; status == 0 && static_cast<long>(threads.size()) < count;)
        if ((status = pthread_create(&thread, nullptr, &Gate::pass, &gate)) == 0)
            threads.push_back(thread);
    pthread_mutex_unlock(&gate.mutex);
    for (const pthread_t thread : threads)
        pthread_join(thread, nullptr);
    if (status != 0)
        throw Error(
            "this process may start " + std::to_string(threads.size()) + " threads more (" + std::strerror(status) +
            "), and the superpoint library needs " + std::to_string(count) +
            "; raise the limit of processes (ulimit -u, or pids.max of the control group), or set GOMAXPROCS=1");
}

} // unnamed namespace

void checkLimits()
{
    checkMemoryVariable();
    const long threads = processors() + otherThreads;
    checkResource(RLIMIT_AS, "VmSize:", "the address space (ulimit -v)", neededAddresses);
    checkResource(RLIMIT_DATA, "VmData:", "data (ulimit -d)", neededData + threads * stackSize());
    tryThreads(threads);
}

} // namespace superpoint

#endif
