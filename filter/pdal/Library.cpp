// SPDX-License-Identifier: BSD-3-Clause
#include "Library.hpp"

#include "System.hpp"

#include <pdal/util/FileUtils.hpp>
#include <probe.h>

namespace superpoint
{

namespace
{

bool gpuPresent()
{
    int status;
    return superpoint_probe(&status) > 0;
}

template <typename F> void bind(void *library, const std::string& path, const char *name, F& function)
{
    function = reinterpret_cast<F>(findFunction(library, name));
    if (!function)
        throw Error(path + " has no function " + name + "; install it again from the same build as the plugin");
}

} // unnamed namespace

Library::Library(std::vector<std::string> names, bool gpu)
{
    if (gpu && gpuPresent())
        names.insert(names.begin(), "libsuperpoint_cuda");
    checkLimits();
    const std::string folder = pluginFolder();
    if (folder.empty())
        throw Error("cannot find the folder of this plugin");
    std::string path, error;
    for (const std::string& name : names)
    {
        path = folder + "/" + name + sharedLibrary;
        if (pdal::FileUtils::fileExists(path))
            break;
    }
    // The Go runtime cannot be unloaded, so the library stays open until the
    // process ends.
    void *library = openLibrary(path, error);
    if (!library)
        throw Error("cannot load the superpoint library: " + error +
                    "; put it beside the plugin, as `cmake --install` does");

    decltype(&sp_abi_version) version;
    bind(library, path, "sp_abi_version", version);
    if (version() != SP_ABI_VERSION)
        throw Error(path + " has ABI version " + std::to_string(version()) + ", this plugin needs " +
                    std::to_string(SP_ABI_VERSION) + "; install both from the same build");

    bind(library, path, "sp_open", open);
    bind(library, path, "sp_describe", describe);
    bind(library, path, "sp_segment", segment);
    bind(library, path, "sp_output", output);
    bind(library, path, "sp_metadata", metadata);
    bind(library, path, "sp_command", command);
    bind(library, path, "sp_free", free);
    bind(library, path, "sp_close", close);
}

std::string Library::take(char *text) const
{
    const std::string copy(text);
    free(text);
    return copy;
}

} // namespace superpoint
