// SPDX-License-Identifier: BSD-3-Clause
#include "VectorWriter.hpp"

#include "Symbol.hpp"

#include <pdal/util/Utils.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace superpoint
{

namespace
{

// GDAL's C interface (gdal.h, gdal_utils.h, cpl_error.h). Its handles are pointers.
struct Gdal {
    void (*registerAll)() = Symbol{"GDALAllRegister"};
    void *(*driverByName)(const char *name) = Symbol{"GDALGetDriverByName"};
    const char *(*metadata)(void *driver, const char *name, const char *domain) = Symbol{"GDALGetMetadataItem"};
    const char *(*version)(const char *form) = Symbol{"GDALVersionInfo"};
    void *(*open)(const char *path, unsigned flags, const char *const *drivers, const char *const *options,
                  const char *const *siblings) = Symbol{"GDALOpenEx"};
    void *(*optionsNew)(char **arguments, void *forBinary) = Symbol{"GDALVectorTranslateOptionsNew"};
    void (*optionsFree)(void *options) = Symbol{"GDALVectorTranslateOptionsFree"};
    void *(*translate)(const char *path, void *destination, int count, void **sources, const void *options,
                       int *usageError) = Symbol{"GDALVectorTranslate"};
    void *(*execute)(void *dataset, const char *sql, void *filter,
                     const char *dialect) = Symbol{"GDALDatasetExecuteSQL"};
    void (*release)(void *dataset, void *result) = Symbol{"GDALDatasetReleaseResultSet"};
    void (*close)(void *dataset) = Symbol{"GDALClose"};
    void (*errorReset)() = Symbol{"CPLErrorReset"};
    const char *(*lastError)() = Symbol{"CPLGetLastErrorMsg"};
    void (*pushHandler)(void *handler) = Symbol{"CPLPushErrorHandler"};
    void (*popHandler)() = Symbol{"CPLPopErrorHandler"};
};

const unsigned VectorReadOnly = 0x04; // GDAL_OF_VECTOR | GDAL_OF_READONLY

// Keeps GDAL's errors instead of printing them: the last one for lastError, and the first one, which has the cause.
class Quiet
{
public:
    explicit Quiet(const Gdal& gdal) : m_gdal(gdal)
    {
        m_first.clear();
        m_gdal.pushHandler(reinterpret_cast<void *>(&Quiet::keep));
        m_gdal.errorReset();
    }
    ~Quiet() { m_gdal.popHandler(); }

    // The first error before the last one.
    static std::string errors(const std::string& last)
    {
        return m_first.empty() || m_first == last ? last : m_first + "; " + last;
    }

private:
    static void keep(int severity, int, const char *text)
    {
        const int failure = 3; // CE_Failure
        if (severity >= failure && m_first.empty())
            m_first = text;
    }

    const Gdal& m_gdal;
    static thread_local std::string m_first;
};

thread_local std::string Quiet::m_first;

// Reports whether a driver can write polygons.
bool makesVectors(const Gdal& gdal, void *driver)
{
    return driver && gdal.metadata(driver, "DCAP_VECTOR", nullptr) && gdal.metadata(driver, "DCAP_CREATE", nullptr);
}

// The value of an option among the arguments.
std::string valueOf(const std::vector<std::string>& words, const std::string& option)
{
    const auto at = std::find(words.begin(), words.end(), option);
    return at != words.end() && at + 1 != words.end() ? *(at + 1) : "";
}

// Throws if GDAL lacks the driver, or if that cannot write.
void findDriver(const Gdal& gdal, const std::vector<std::string>& words)
{
    const std::string name = valueOf(words, "-f");
    if (!makesVectors(gdal, gdal.driverByName(name.c_str())))
        throw std::runtime_error(std::string("GDAL ") + gdal.version("RELEASE_NAME") + " of this PDAL has no driver " +
                                 name);
}

// Reports whether the arguments remove the spatial reference of a GeoPackage. GDAL then
// writes srs_id 0, undefined geographic, or since 3.9 another one.
bool unreferenced(const std::vector<std::string>& words)
{
    return valueOf(words, "-f") == "GPKG" && valueOf(words, "-a_srs") == "NULL";
}

// Sets the spatial reference to -1, undefined Cartesian (OGC 12-128r19, 1.1.2.1.2), also in
// bytes 5 to 8 of every geometry.
void undefinedCartesian(const Gdal& gdal, void *package, const std::string& layer)
{
    for (const std::string& sql :
         {std::string("UPDATE gpkg_contents SET srs_id = -1 WHERE data_type = 'features'"),
          std::string("UPDATE gpkg_geometry_columns SET srs_id = -1"),
          "UPDATE " + layer + " SET geom = CAST(substr(geom, 1, 4) || x'FFFFFFFF' || substr(geom, 9) AS BLOB)"})
        if (void *result = gdal.execute(package, sql.c_str(), nullptr, nullptr))
            gdal.release(package, result);
}

// Translates a file with the arguments of ogr2ogr.
void translate(const Gdal& gdal, const std::string& from, const std::string& to, std::vector<std::string>& words)
{
    const auto fail = [&gdal](const std::string& what) {
        throw std::runtime_error("GDAL " + what + ": " + gdal.lastError());
    };
    void *source = gdal.open(from.c_str(), VectorReadOnly, nullptr, nullptr, nullptr);
    if (!source)
        fail("cannot read its input");
    std::vector<char *> arguments;
    for (std::string& w : words) arguments.push_back(&w[0]);
    arguments.push_back(nullptr);
    void *options = gdal.optionsNew(arguments.data(), nullptr);
    void *made = options ? gdal.translate(to.c_str(), nullptr, 1, &source, options, nullptr) : nullptr;
    const std::string error = Quiet::errors(gdal.lastError());
    if (options)
        gdal.optionsFree(options);
    gdal.close(source);
    if (!made)
        throw std::runtime_error("GDAL cannot write it: " + error);
    gdal.errorReset();
    if (unreferenced(words))
        undefinedCartesian(gdal, made, valueOf(words, "-nln"));
    gdal.close(made); // writes what is left
    if (*gdal.lastError())
        fail("cannot finish it");
}

} // unnamed namespace

void convert(const std::string& from, const std::string& to, const std::string& arguments)
{
    std::vector<std::string> words = pdal::Utils::split(arguments, '\n');
    const Gdal gdal;
    const Quiet quiet(gdal);
    gdal.registerAll();
    findDriver(gdal, words);
    if (!from.empty())
        translate(gdal, from, to, words);
}

} // namespace superpoint
