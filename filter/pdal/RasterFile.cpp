// SPDX-License-Identifier: BSD-3-Clause
#include "RasterFile.hpp"

#include "Gdal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace superpoint
{

namespace
{

// GDAL's C interface for rasters (gdal.h, ogr_srs_api.h).
struct RasterGdal : Gdal {
    void *(*create)(void *driver, const char *path, int columns, int rows, int bands, int type,
                    const char *const *options) = Symbol{"GDALCreate"};
    void *(*createCopy)(void *driver, const char *path, void *source, int strict, const char *const *options,
                        void *progress, void *data) = Symbol{"GDALCreateCopy"};
    int (*setTransform)(void *dataset, double *transform) = Symbol{"GDALSetGeoTransform"};
    int (*transform)(void *dataset, double *transform) = Symbol{"GDALGetGeoTransform"};
    int (*setReference)(void *dataset, const char *wkt) = Symbol{"GDALSetProjection"};
    const char *(*reference)(void *dataset) = Symbol{"GDALGetProjectionRef"};
    void *(*band)(void *dataset, int number) = Symbol{"GDALGetRasterBand"};
    int (*columns)(void *dataset) = Symbol{"GDALGetRasterXSize"};
    int (*rows)(void *dataset) = Symbol{"GDALGetRasterYSize"};
    int (*setNoData)(void *band, double value) = Symbol{"GDALSetRasterNoDataValue"};
    double (*noData)(void *band, int *has) = Symbol{"GDALGetRasterNoDataValue"};
    int (*setUnit)(void *band, const char *unit) = Symbol{"GDALSetRasterUnitType"};
    const char *(*unit)(void *band) = Symbol{"GDALGetRasterUnitType"};
    void (*setDescription)(void *object, const char *text) = Symbol{"GDALSetDescription"};
    const char *(*description)(void *object) = Symbol{"GDALGetDescription"};
    int (*overviews)(void *band) = Symbol{"GDALGetOverviewCount"};
    int (*buildOverviews)(void *dataset, const char *resampling, int count, const int *factors, int bands,
                          const int *bandList, void *progress, void *data) = Symbol{"GDALBuildOverviews"};
    int (*io)(void *band, int write, int x, int y, int width, int height, void *values, int columns, int rows, int type,
              int pixelSpace, int lineSpace) = Symbol{"GDALRasterIO"};
    long long (*cacheMax)() = Symbol{"GDALGetCacheMax64"};
    void (*setCacheMax)(long long bytes) = Symbol{"GDALSetCacheMax64"};
    void *(*newReference)(const char *wkt) = Symbol{"OSRNewSpatialReference"};
    int (*fromText)(void *reference, const char *text) = Symbol{"OSRSetFromUserInput"};
    int (*toWkt)(void *reference, char **wkt) = Symbol{"OSRExportToWkt"};
    void (*freeReference)(void *reference) = Symbol{"OSRDestroySpatialReference"};
    void (*freeText)(void *text) = Symbol{"VSIFree"};
};

const int Float32 = 6;              // GDT_Float32
const unsigned RasterReadOnly = 2;  // GDAL_OF_RASTER | GDAL_OF_READONLY
const unsigned VerboseErrors = 64;  // GDAL_OF_VERBOSE_ERROR
const char *const Scratch = ".tif"; // ending of the file from which the result is copied

// A data set that is closed at the end.
class Dataset
{
public:
    Dataset(const RasterGdal& gdal, void *dataset) : m_gdal(gdal), m_dataset(dataset) {}
    ~Dataset() { close(); }
    Dataset(const Dataset&) = delete;
    Dataset& operator=(const Dataset&) = delete;

    operator void *() const { return m_dataset; }

    // Writes the rest.
    void close()
    {
        if (m_dataset)
            m_gdal.close(m_dataset);
        m_dataset = nullptr;
    }

private:
    const RasterGdal& m_gdal;
    void *m_dataset;
};

// A limit of GDAL's cache of blocks, until the end. By default a wide raster fills a twentieth of the memory; a limit
// that holds a few rows of blocks does as well, as each is read once.
class CacheLimit
{
public:
    explicit CacheLimit(const RasterGdal& gdal) : m_gdal(gdal), m_before(gdal.cacheMax())
    {
        m_gdal.setCacheMax(std::min(m_before, Most));
    }
    ~CacheLimit() { m_gdal.setCacheMax(m_before); }
    CacheLimit(const CacheLimit&) = delete;
    CacheLimit& operator=(const CacheLimit&) = delete;

private:
    static constexpr long long Most = 128 << 20; // bytes
    const RasterGdal& m_gdal;
    const long long m_before;
};

// A file that is removed at the end.
struct Temporary {
    const std::string path;
    ~Temporary() { std::remove(path.c_str()); }
};

void *findDriver(const RasterGdal& gdal, const char *name)
{
    void *driver = gdal.driverByName(name);
    if (!driver)
        throw std::runtime_error(std::string("GDAL ") + gdal.version("RELEASE_NAME") + " of this PDAL has no driver " +
                                 name + ", which GDAL has since 3.1");
    return driver;
}

// Returns a spatial reference as well-known text; "" if there is none.
std::string wktOf(const RasterGdal& gdal, const char *text)
{
    if (!text || !*text)
        return "";
    const std::unique_ptr<void, void (*)(void *)> reference(gdal.newReference(nullptr), gdal.freeReference);
    char *wkt = nullptr;
    if (gdal.fromText(reference.get(), text) != 0 || gdal.toWkt(reference.get(), &wkt) != 0)
        fail(gdal, "cannot read the spatial reference");
    const std::string result = wkt;
    gdal.freeText(wkt);
    return result;
}

// Sets the header of a file.
void setHead(const RasterGdal& gdal, void *dataset, const sp_raster& raster)
{
    double transform[6] = {raster.west, raster.width, 0, raster.north, 0, -raster.height};
    void *band = gdal.band(dataset, 1);
    const std::string wkt = wktOf(gdal, raster.reference);
    if (gdal.setTransform(dataset, transform) != 0 || gdal.setNoData(band, raster.no_data) != 0)
        fail(gdal, "cannot write the head");
    if (!wkt.empty() && gdal.setReference(dataset, wkt.c_str()) != 0)
        fail(gdal, "cannot write the spatial reference");
    if (raster.unit)
        gdal.setUnit(band, raster.unit);
    if (raster.description)
        gdal.setDescription(band, raster.description);
}

// Writes a rectangle of cells. GDAL gives those that are never written the value of no data.
void writeRectangle(const RasterGdal& gdal, void *dataset, const sp_raster& raster, const sp_rectangle& cells,
                    const float *values)
{
    const int columns = static_cast<int>(cells.columns);
    std::vector<float> row(cells.columns);
    void *band = gdal.band(dataset, 1);
    for (uint32_t y = 0; y < cells.rows; y++) {
        const float *from = values + cells.first + y * cells.stride;
        for (uint32_t x = 0; x < cells.columns; x++)
            row[x] = std::isnan(from[x]) ? static_cast<float>(raster.no_data) : from[x];
        if (gdal.io(band, 1, static_cast<int>(cells.column), static_cast<int>(cells.row + y), columns, 1, row.data(),
                    columns, 1, Float32, 0, 0) != 0)
            fail(gdal, "cannot write it");
    }
}

// Returns the factors of the overviews of a raster, of which the last one is at most a tile of 512 cells a side.
std::vector<int> overviewFactors(const sp_raster& raster)
{
    const uint32_t tile = 512, longest = std::max(raster.columns, raster.rows);
    std::vector<int> factors;
    for (uint32_t factor = 2; longest / (factor / 2) > tile; factor *= 2) factors.push_back(static_cast<int>(factor));
    return factors;
}

// Makes the overviews of a raster so long and narrow that its side is no cell in the last one: the driver COG
// of GDAL 3.2 then divides by zero. The driver makes the overviews of all other rasters itself.
void addOverviews(const RasterGdal& gdal, void *dataset, const sp_raster& raster)
{
    const std::vector<int> factors = overviewFactors(raster);
    const auto shortest = static_cast<int>(std::min(raster.columns, raster.rows));
    if (factors.empty() || shortest / factors.back() > 0)
        return;
    if (gdal.buildOverviews(dataset, "AVERAGE", static_cast<int>(factors.size()), factors.data(), 0, nullptr, nullptr,
                            nullptr) != 0)
        fail(gdal, "cannot write its overviews");
}

} // unnamed namespace

void writeRaster(const std::string& path, const sp_raster& raster, uint32_t rectangles, const sp_rectangle *rectangle,
                 const float *values)
{
    const RasterGdal gdal;
    const Quiet quiet(gdal);
    gdal.registerAll();
    const CacheLimit limit(gdal);
    void *cog = findDriver(gdal, "COG");
    const Temporary scratch{path + Scratch};
    const char *const tiled[] = {"TILED=YES", "SPARSE_OK=TRUE", "BIGTIFF=IF_SAFER", nullptr};
    Dataset plain(gdal, gdal.create(findDriver(gdal, "GTiff"), scratch.path.c_str(), static_cast<int>(raster.columns),
                                    static_cast<int>(raster.rows), 1, Float32, tiled));
    if (!plain)
        fail(gdal, "cannot write it");
    setHead(gdal, plain, raster);
    for (uint32_t k = 0; k < rectangles; k++) writeRectangle(gdal, plain, raster, rectangle[k], values);
    addOverviews(gdal, plain, raster);
    const char *const options[] = {"COMPRESS=DEFLATE", "PREDICTOR=YES",  "RESAMPLING=AVERAGE",
                                   "BIGTIFF=IF_SAFER", "SPARSE_OK=TRUE", nullptr};
    Dataset made(gdal, gdal.createCopy(cog, path.c_str(), plain, 0, options, nullptr, nullptr));
    if (!made)
        fail(gdal, "cannot write it");
    gdal.errorReset();
    made.close();
    if (*gdal.lastError())
        fail(gdal, "cannot finish it");
}

const sp_raster *RasterFile::read(const std::string& path, uint32_t first, uint32_t rows, float *values)
{
    const RasterGdal gdal;
    const Quiet quiet(gdal);
    gdal.registerAll();
    const Dataset file(gdal, gdal.open(path.c_str(), RasterReadOnly | VerboseErrors, nullptr, nullptr, nullptr));
    if (!file)
        fail(gdal, "cannot read it");
    void *band = gdal.band(file, 1);
    const int columns = gdal.columns(file);
    double transform[6] = {};
    int hasNoData = 0;
    if (gdal.transform(file, transform) != 0)
        throw std::runtime_error("the raster has no position");
    m_raster = sp_raster{};
    m_raster.no_data = gdal.noData(band, &hasNoData);
    if (!hasNoData)
        m_raster.no_data = std::nan("");
    m_raster.columns = static_cast<uint32_t>(columns);
    m_raster.rows = static_cast<uint32_t>(gdal.rows(file));
    m_raster.west = transform[0];
    m_raster.width = transform[1];
    m_raster.north = transform[3];
    m_raster.height = -transform[5];
    if (transform[2] != 0 || transform[4] != 0)
        throw std::runtime_error("the raster is turned");
    m_raster.overviews = static_cast<uint32_t>(gdal.overviews(band));
    const auto text = [](const char *from) { return std::string(from ? from : ""); };
    m_reference = text(gdal.reference(file));
    m_unit = text(gdal.unit(band));
    m_description = text(gdal.description(band));
    m_layout = text(gdal.metadata(file, "LAYOUT", "IMAGE_STRUCTURE"));
    m_raster.reference = m_reference.c_str();
    m_raster.unit = m_unit.c_str();
    m_raster.description = m_description.c_str();
    m_raster.layout = m_layout.c_str();
    if (rows > 0 && gdal.io(band, 0, 0, static_cast<int>(first), columns, static_cast<int>(rows), values, columns,
                            static_cast<int>(rows), Float32, 0, 0) != 0)
        fail(gdal, "cannot read its cells");
    return &m_raster;
}

} // namespace superpoint
