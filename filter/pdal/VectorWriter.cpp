#include "VectorWriter.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <vector>

namespace superpoint
{

namespace
{

// GDAL's C interface (gdal.h, gdal_utils.h, cpl_error.h). Its handles are pointers.
struct Gdal
{
    void (*registerAll)();
    void *(*driverByName)(const char *name);
    void *(*open)(const char *path, unsigned flags, const char *const *drivers, const char *const *options,
        const char *const *siblings);
    void *(*optionsNew)(char **arguments, void *forBinary);
    void (*optionsFree)(void *options);
    void *(*translate)(const char *path, void *destination, int count, void **sources, const void *options, int *usageError);
    void (*close)(void *dataset);
    void (*errorReset)();
    const char *(*lastError)();
    void (*pushHandler)(void *handler);
    void (*popHandler)();
    void *quiet; // the handler that prints nothing

    Gdal()
    {
        find(registerAll, "GDALAllRegister");
        find(driverByName, "GDALGetDriverByName");
        find(open, "GDALOpenEx");
        find(optionsNew, "GDALVectorTranslateOptionsNew");
        find(optionsFree, "GDALVectorTranslateOptionsFree");
        find(translate, "GDALVectorTranslate");
        find(close, "GDALClose");
        find(errorReset, "CPLErrorReset");
        find(lastError, "CPLGetLastErrorMsg");
        find(pushHandler, "CPLPushErrorHandler");
        find(popHandler, "CPLPopErrorHandler");
        find(quiet, "CPLQuietErrorHandler");
    }

private:
    template <typename Pointer> static void find(Pointer& function, const char *name)
    {
        function = reinterpret_cast<Pointer>(dlsym(RTLD_DEFAULT, name));
        if (!function)
            throw std::runtime_error(std::string("this PDAL has no GDAL that other programs can use (") + name + " is missing)");
    }
};

const unsigned VectorReadOnly = 0x04; // GDAL_OF_VECTOR | GDAL_OF_READONLY

// Keeps GDAL's errors for lastError instead of printing them.
class Quiet
{
public:
    explicit Quiet(const Gdal& gdal) : m_gdal(gdal)
    {
        m_gdal.pushHandler(m_gdal.quiet);
        m_gdal.errorReset();
    }
    ~Quiet()
        { m_gdal.popHandler(); }

private:
    const Gdal& m_gdal;
};

} // unnamed namespace

const char *VectorWriter::convert(const char *from, const char *to, const char *driver, const char *reference)
{
    try
    {
        write(from, to, driver, reference);
        return nullptr;
    }
    catch (const std::exception& e)
    {
        m_error = e.what();
    }
    catch (...)
    {
        m_error = "unknown error of GDAL";
    }
    return m_error.c_str();
}

void VectorWriter::write(const std::string& from, const std::string& to, const std::string& driver, const std::string& reference)
{
    const Gdal gdal;
    const Quiet quiet(gdal);
    gdal.registerAll();
    if (!gdal.driverByName(driver.c_str()))
        throw std::runtime_error("the GDAL of this PDAL cannot write " + driver);
    const auto fail = [&gdal](const std::string& what) { throw std::runtime_error("GDAL " + what + ": " + gdal.lastError()); };

    void *source = gdal.open(from.c_str(), VectorReadOnly, nullptr, nullptr, nullptr);
    if (!source)
        fail("cannot read its input");
    std::vector<std::string> words { "-f", driver, "-nlt", "MULTIPOLYGON" };
    if (!reference.empty())
        words.insert(words.end(), { "-a_srs", reference });
    std::vector<char *> arguments;
    for (std::string& w : words)
        arguments.push_back(&w[0]);
    arguments.push_back(nullptr);

    void *options = gdal.optionsNew(arguments.data(), nullptr);
    void *made = options ? gdal.translate(to.c_str(), nullptr, 1, &source, options, nullptr) : nullptr;
    const std::string error = gdal.lastError();
    if (options)
        gdal.optionsFree(options);
    gdal.close(source);
    if (!made)
        throw std::runtime_error("GDAL cannot write " + driver + ": " + error);
    gdal.errorReset();
    gdal.close(made); // writes what is left
    if (*gdal.lastError())
        fail("cannot finish " + driver);
}

} // namespace superpoint
