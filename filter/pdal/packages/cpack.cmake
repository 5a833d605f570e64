# Packages for the PDAL that the build has: `make package` writes them to build/.
#
#   superpoint-VERSION-pdalX.Y-SYSTEM-MACHINE.tar.gz   always
#   pdal-superpoint_VERSION-pdalX.Y_MACHINE.deb        if this PDAL is a Debian package itself
#
# A plugin works with one minor version of PDAL, so the .deb depends on that one.

set(doc ${CMAKE_INSTALL_DATADIR}/doc/pdal-superpoint)
install(FILES ${CMAKE_BINARY_DIR}/LICENCES DESTINATION ${doc} RENAME copyright)
file(GLOB recipes CONFIGURE_DEPENDS pipelines/*.json)
list(FILTER recipes EXCLUDE REGEX "/demo\\.json$")
install(FILES ${recipes} DESTINATION ${doc}/pipelines)

# The pages lie as in the checkout, with the files that they link to, so that their links lead somewhere.
file(GLOB_RECURSE pages RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS embed/*.md embed/train/recipes/*.yaml filter/*.md
  partition/*.md pipelines/*.md pipelines/*.png testdata/*.md)
file(GLOB front RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS *.md)
set(shipped ${front} ${pages})
foreach(page ${shipped})
  if(page MATCHES "\\.md$")
    get_filename_component(folder ${page} DIRECTORY)
    file(READ ${page} text)
    string(REGEX MATCHALL "\\([^][():#; ]+[#)]" links "${text}") # no brackets: a list knows them
    foreach(link ${links})
      string(REGEX MATCH "[^(#)]+" link "${link}")
      get_filename_component(file "${CMAKE_SOURCE_DIR}/${folder}/${link}" ABSOLUTE)
      file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} "${file}")
      if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}" AND NOT name MATCHES "^\\.\\.")
        list(APPEND shipped "${name}")
      endif()
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  endif()
endforeach()
list(REMOVE_DUPLICATES shipped)
foreach(file ${shipped})
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${file} DESTINATION ${doc}/${folder})
endforeach()

file(STRINGS ${PDAL_INCLUDE}/pdal/pdal_features.hpp features REGEX "define PDAL_VERSION_(MAJOR|MINOR) ")
foreach(part MAJOR MINOR)
  string(REGEX REPLACE ".*PDAL_VERSION_${part} +([0-9]+).*" "\\1" pdal_${part} "${features}")
endforeach()
set(pdal_version ${pdal_MAJOR}.${pdal_MINOR})
math(EXPR next "${pdal_MINOR} + 1")

set(CPACK_PACKAGE_NAME superpoint)
set(CPACK_PACKAGE_VENDOR "the superpoint authors")
set(CPACK_PACKAGE_CONTACT "the superpoint authors <superpoint@localhost>"
  CACHE STRING "Maintainer of the packages, as in: Name <address>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "PDAL stage filters.superpoint: learned superpoints of point clouds")
# CPack puts the summary before it.
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Divides lidar point clouds into superpoints: small connected pieces, each of
one object. A trained model is inside. Adds filters.superpoint and the
commands of pdal superpoint to PDAL ${pdal_version}.")
set(CPACK_PACKAGE_FILE_NAME superpoint-${PROJECT_VERSION}-pdal${pdal_version}-${CMAKE_SYSTEM_NAME}-${machine})
set(CPACK_SET_DESTDIR OFF)
set(CPACK_GENERATOR TGZ)

find_program(DPKG_QUERY dpkg-query)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(NOT PDAL_ROOT AND DPKG_QUERY AND DPKG_SHLIBDEPS)
  list(GET pdal_libraries 0 library)
  execute_process(COMMAND ${DPKG_QUERY} -S ${library} RESULT_VARIABLE owned OUTPUT_QUIET ERROR_QUIET)
  if(owned EQUAL 0)
    list(APPEND CPACK_GENERATOR DEB)
  endif()
endif()
set(CPACK_DEBIAN_PACKAGE_NAME pdal-superpoint)
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION}-pdal${pdal_version})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # libpdal-base12 and the like, as dpkg finds them
set(CPACK_DEBIAN_PACKAGE_DEPENDS "pdal (>= ${pdal_version}), pdal (<< ${pdal_MAJOR}.${next})")
include(CPack)
