rem Builds in conda's environment on Windows: PDAL is the one in %LIBRARY_PREFIX%.
rem MSVC compiles the plugins, as it did PDAL; go-cgo brings the gcc that cgo needs.
set CGO_ENABLED=1
set CGO_CFLAGS=-O2 -Wa,-muse-unaligned-vector-move
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPDAL_ROOT= ^
  -DCMAKE_INSTALL_PREFIX="%LIBRARY_PREFIX%" -DCMAKE_PREFIX_PATH="%LIBRARY_PREFIX%" -DCMAKE_INSTALL_LIBDIR=lib
if errorlevel 1 exit 1
cmake --build build
if errorlevel 1 exit 1
cmake --install build
if errorlevel 1 exit 1
