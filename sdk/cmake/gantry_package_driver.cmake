# gantry_package_driver(<id> CONTACT <name and address> [VERSION <version>] [SUMMARY <line>])
#
# Lets `cpack` make the Debian package gantry-driver-<id> of a built driver or a library of gantry_add_offers. The package puts
# the file beside the drivers of the gantry that this SDK belongs to, and depends on a gantry that loads drivers of the ABI's
# major version. VERSION is the project's unless it is given. For one driver a project, after project().
set(GANTRY_PACKAGED_DRIVERS ${CMAKE_CURRENT_LIST_DIR}/../../gantry/drivers)

function(gantry_package_driver id)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "CONTACT;VERSION;SUMMARY" "")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_CONTACT)
    message(FATAL_ERROR "gantry_package_driver(${id}): expected CONTACT, VERSION and SUMMARY, found "
      "${ARG_UNPARSED_ARGUMENTS} and no CONTACT")
  endif()
  if(NOT TARGET ${id})
    message(FATAL_ERROR "gantry_package_driver(${id}): expected a target of gantry_add_driver or gantry_add_offers before")
  endif()
  if(NOT ARG_VERSION)
    set(ARG_VERSION ${PROJECT_VERSION})
  endif()
  if(NOT ARG_SUMMARY)
    set(ARG_SUMMARY "driver ${id} for the scheduler service Gantry")
  endif()
  cmake_path(SET drivers NORMALIZE ${GANTRY_PACKAGED_DRIVERS})
  cmake_path(RELATIVE_PATH drivers BASE_DIRECTORY /)
  install(TARGETS ${id} LIBRARY DESTINATION ${drivers} COMPONENT gantry_driver_package EXCLUDE_FROM_ALL)

  # Debian's names have no capitals and no _.
  string(TOLOWER ${id} name)
  string(REPLACE _ - name ${name})
  string(REGEX MATCH "^[0-9]+" major ${GANTRY_ABI})
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME gantry-driver-${name})
  set(CPACK_PACKAGE_VERSION ${ARG_VERSION})
  set(CPACK_PACKAGE_CONTACT "${ARG_CONTACT}")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${ARG_SUMMARY}")
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_COMPONENTS_ALL gantry_driver_package)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION net)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS gantry-driver-abi-${major})
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_STRIP_FILES ON)
  # What is built already is packaged. A test that needs more than the SDK is not built for it.
  set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON PARENT_SCOPE)
  include(CPack)
endfunction()
