// SPDX-License-Identifier: BSD-3-Clause
#include "Requests.hpp"

#include <pdal/Kernel.hpp>
#include <pdal/Log.hpp>
#include <pdal/PluginManager.hpp>

#include <unistd.h>

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

std::size_t readLength(std::istream& in)
{
    std::size_t length = 0;
    in >> length;
    in.get(); // line feed
    return length;
}

pdal::StringList readList(std::istream& in)
{
    pdal::StringList list(readLength(in));
    for (std::string& text : list) {
        text.resize(readLength(in));
        in.read(&text[0], static_cast<std::streamsize>(text.size()));
    }
    return list;
}

void writeList(std::ostream& out, const pdal::StringList& list)
{
    out << list.size() << '\n';
    for (const std::string& text : list) out << text.size() << '\n' << text;
    out << std::flush;
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

// Runs a command in a folder and returns its exit code; printed gets what it prints.
int run(const std::string& folder, const std::string& input, const std::string& command,
        const pdal::StringList& arguments, std::string& printed)
{
    if (chdir(folder.c_str()) != 0)
        return notRun;
    std::unique_ptr<pdal::Kernel> kernel(pdal::PluginManager<pdal::Kernel>::createObject("kernels." + command));
    if (!kernel)
        return notRun;
    std::istringstream in(input);
    std::ostringstream out;
    int code = notRun;
    {
        const Redirection fromInput(std::cin, in.rdbuf()), toOutput(std::cout, out.rdbuf());
        pdal::LogPtr log = pdal::Log::makeLog("pdal " + command, "stderr");
        code = kernel->run(arguments, log);
    }
    printed = out.str();
    return code;
}

} // unnamed namespace

void runRequests()
{
    std::istream in(std::cin.rdbuf());
    std::ostream out(std::cout.rdbuf());
    while (in.peek() != std::istream::traits_type::eof()) {
        const pdal::StringList request = readList(in);
        if (!in || request.size() < 3)
            return;
        const pdal::StringList arguments(request.begin() + 3, request.end());
        std::string printed;
        const int code = run(request[0], request[1], request[2], arguments, printed);
        std::cerr << answerFollows << std::endl;
        writeList(out, {std::to_string(code), printed});
    }
}

} // namespace superpoint
