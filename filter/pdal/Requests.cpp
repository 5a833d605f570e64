// SPDX-License-Identifier: BSD-3-Clause
#include "Requests.hpp"

#include <pdal/Kernel.hpp>
#include <pdal/Log.hpp>
#include <pdal/PluginManager.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

namespace superpoint
{

namespace
{

const char *const answerFollows = "superpoint: the answer follows";

// Exit code of a command that could not be run.
const int notRun = 127;

struct CloseFile {
    void operator()(std::FILE *f) const { std::fclose(f); }
};

using File = std::unique_ptr<std::FILE, CloseFile>;

// Moves an open descriptor to another number and leaves an empty file in its place: PDAL 2.10 reads the descriptor
// 0 itself, whatever the buffer of std::cin is, and would wait in it for the next request.
File takeOver(int descriptor, const char *mode)
{
    File taken(fdopen(dup(descriptor), mode));
    const int empty = open("/dev/null", O_RDWR);
    dup2(empty, descriptor);
    close(empty);
    return taken;
}

bool readLength(std::FILE *in, std::size_t& length)
{
    return std::fscanf(in, "%zu", &length) == 1 && std::fgetc(in) == '\n';
}

bool readText(std::FILE *in, std::string& text)
{
    std::size_t length = 0;
    if (!readLength(in, length))
        return false;
    text.resize(length);
    return std::fread(&text[0], 1, length, in) == length;
}

bool readList(std::FILE *in, pdal::StringList& list)
{
    std::size_t length = 0;
    if (!readLength(in, length))
        return false;
    list.resize(length);
    return std::all_of(list.begin(), list.end(), [in](std::string& text) { return readText(in, text); });
}

void writeList(std::FILE *out, const pdal::StringList& list)
{
    std::fprintf(out, "%zu\n", list.size());
    for (const std::string& text : list) {
        std::fprintf(out, "%zu\n", text.size());
        std::fwrite(text.data(), 1, text.size(), out);
    }
    std::fflush(out);
}

// Gives a stream of the program another buffer while it exists.
class Redirection
{
public:
    Redirection(std::ios& stream, std::streambuf *to) : m_stream(stream), m_from(stream.rdbuf(to)) { m_stream.clear(); }

    ~Redirection() { m_stream.rdbuf(m_from); }

    Redirection(const Redirection&) = delete;
    Redirection& operator=(const Redirection&) = delete;

private:
    std::ios& m_stream;
    std::streambuf *m_from;
};

// Returns a file without a name that has the text; null if there is no room for it.
File fileOf(const std::string& text)
{
    File file(std::tmpfile());
    const bool written = file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    if (!written || std::fflush(file.get()) != 0)
        return nullptr;
    std::rewind(file.get());
    return file;
}

// Runs a command in a folder and returns its exit code; printed gets what it prints. The command reads its input
// from a file, in place of --stdin.
int run(const std::string& folder, const std::string& input, const std::string& command, pdal::StringList arguments,
        std::string& printed)
{
    if (chdir(folder.c_str()) != 0)
        return notRun;
    std::unique_ptr<pdal::Kernel> kernel(pdal::PluginManager<pdal::Kernel>::createObject("kernels." + command));
    const File file = fileOf(input);
    if (!kernel || !file)
        return notRun;
    const std::string name = "/dev/fd/" + std::to_string(fileno(file.get()));
    std::replace(arguments.begin(), arguments.end(), std::string("--stdin"), name);
    std::ostringstream out;
    int code = notRun;
    {
        const Redirection toOutput(std::cout, out.rdbuf());
        pdal::LogPtr log = pdal::Log::makeLog("pdal " + command, "stderr");
        code = kernel->run(arguments, log);
    }
    printed = out.str();
    return code;
}

} // unnamed namespace

void runRequests()
{
    const File in = takeOver(STDIN_FILENO, "r");
    const File out = takeOver(STDOUT_FILENO, "w");
    pdal::StringList request;
    while (readList(in.get(), request) && request.size() >= 3) {
        const pdal::StringList arguments(request.begin() + 3, request.end());
        std::string printed;
        const int code = run(request[0], request[1], request[2], arguments, printed);
        std::cerr.clear();
        std::cerr << '\n' << answerFollows << std::endl;
        writeList(out.get(), {std::to_string(code), printed});
    }
}

} // namespace superpoint
