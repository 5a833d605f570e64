// SPDX-License-Identifier: BSD-3-Clause
#include "FileReader.hpp"
#include "Host.hpp"
#include "Library.hpp"
#include "RasterFile.hpp"
#include "Requests.hpp"
#include "VectorWriter.hpp"
#include "Version.hpp"

#include <pdal/Kernel.hpp>
#include <pdal/PluginHelper.hpp>

#include <csignal>
#include <iostream>

namespace superpoint
{

namespace
{

#include "commands.inc"

// A host that also reads and writes files and shows a command's messages, for
// which a stage would need --verbose.
class CommandHost : public Host
{
public:
    explicit CommandHost(pdal::LogPtr log) : Host(log, 30), m_reader(log)
    {
        m_host.read = &CommandHost::read;
        m_host.convert = &CommandHost::convert;
        m_host.log = &CommandHost::show;
        m_host.describe = &CommandHost::describe;
        m_host.same = &CommandHost::same;
        m_host.write_raster = &CommandHost::writeRaster;
        m_host.read_raster = &CommandHost::readRaster;
    }

private:
    static void show(void *context, int32_t level, const char *text)
    {
        if (level != SP_LOG_INFO)
            return log(context, level, text);
        CommandHost& host = *static_cast<CommandHost *>(static_cast<Host *>(context));
        host.clearLine();
        std::cerr << text << std::endl;
    }

    static const char *read(void *context, const char *path, const char *dimensions, const sp_cloud **cloud)
    {
        CommandHost& host = *static_cast<CommandHost *>(static_cast<Host *>(context));
        return host.guard([&] { *cloud = host.m_reader.read(path, dimensions); });
    }

    static const char *convert(void *context, const char *from, const char *to, const char *arguments)
    {
        CommandHost& host = *static_cast<CommandHost *>(static_cast<Host *>(context));
        return host.guard([&] { superpoint::convert(from, to, arguments); });
    }

    static const char *writeRaster(void *context, const char *path, const sp_raster *raster, uint32_t rectangles,
                                   const sp_rectangle *rectangle, const float *values)
    {
        CommandHost& host = *static_cast<CommandHost *>(static_cast<Host *>(context));
        return host.guard([&] { superpoint::writeRaster(path, *raster, rectangles, rectangle, values); });
    }

    static const char *readRaster(void *context, const char *path, uint32_t first, uint32_t rows, float *values,
                                  const sp_raster **raster)
    {
        CommandHost& host = *static_cast<CommandHost *>(static_cast<Host *>(context));
        return host.guard([&] { *raster = host.m_raster.read(path, first, rows, values); });
    }

    static void describe(void *context, const char *text, sp_reference *reference)
    {
        CommandHost& host = *static_cast<CommandHost *>(static_cast<Host *>(context));
        *reference = sp_reference{};
        host.guard([&] {
            host.m_reference = Reference(text);
            *reference = host.m_reference.get();
        });
    }

    static int32_t same(void *context, const char *a, const char *b)
    {
        bool equal = false;
        static_cast<CommandHost *>(static_cast<Host *>(context))->guard([&] { equal = Reference::same(a, b); });
        return equal;
    }

    // Returns null or, until the next call, the text of the exception of body.
    template <typename Body> const char *guard(Body body)
    {
        try {
            body();
            return nullptr;
        } catch (const std::exception& e) {
            m_error = e.what();
        } catch (...) {
            m_error = "unknown error";
        }
        return m_error.c_str();
    }

    FileReader m_reader;
    RasterFile m_raster;
    Reference m_reference; // last described
    std::string m_error;
};

} // unnamed namespace

// pdal superpoint COMMAND …: passes its arguments to the library, whose commands have their
// own help.
class SuperpointKernel : public pdal::Kernel
{
public:
    std::string getName() const override { return "kernels.superpoint"; }

private:
    // Accepts all arguments, because the library parses the options. Before a kernel receives
    // them, pdal splits -abc into -a -b -c and removes --version and its own options; so the
    // library's options have two dashes, and the version is a command.
    bool doSwitches(const pdal::StringList& arguments, pdal::ProgramArgs&) override
    {
        m_arguments = arguments;
        return true;
    }

    int execute() override
    {
        if (m_arguments == pdal::StringList{"requests"}) { // of package pdalprocess
            runRequests();
            return 0;
        }
        // Only training needs the large library; without it the small one returns an error.
        const bool training = !m_arguments.empty() && m_arguments.front() == "train";
        const Library library =
            training ? Library({"libsuperpoint_train", "libsuperpoint"}, false) : Library({"libsuperpoint"}, true);
        std::vector<const char *> arguments;
        for (const std::string& a : m_arguments) arguments.push_back(a.c_str());
        CommandHost host(m_log);
        try {
            library.call(library.command, static_cast<int32_t>(arguments.size()), arguments.data(), host, nullptr);
        } catch (const std::exception& e) {
            const int code = codeOfSignal(e.what());
            if (code == 0)
                throw;
            std::cerr << "PDAL: " << e.what() << std::endl << std::endl;
            return code;
        }
        return 0;
    }

    // The exit code of a command that a signal ended, 128 and its number as shells expect; 0 for other errors.
    static int codeOfSignal(const std::string& error)
    {
        const int signalled = 128;
        if (error == "interrupted")
            return signalled + SIGINT;
        if (error == "terminated")
            return signalled + SIGTERM;
        return error == "hung up" ? signalled + 1 : 0; // Windows has no SIGHUP
    }

    pdal::StringList m_arguments;
};

} // namespace superpoint

// Called by PDAL after it has loaded the plugin.
extern "C" void PF_initPlugin()
{
    if (!superpoint::builtForThisPdal("kernels.superpoint"))
        return;
    static const pdal::PluginInfo info("kernels.superpoint", superpoint::commandNames,
                                       "https://doi.org/10.1109/CVPR.2019.00762");
    pdal::PluginManager<pdal::Kernel>::registerPlugin<superpoint::SuperpointKernel>(info);
}
