# gantry_add_driver(<id> SOURCES <file>... [LINK <library>...])
# gantry_add_offers(<id> SOURCES <file>... [LINK <library>...])
#
# Builds the driver, or the library of filters and weighers, <id>.so into ${CMAKE_BINARY_DIR}/lib/gantry/drivers. <id> is
# the manifest's id. The file shows gantry_driver_entry or gantry_offers_entry and nothing else, leaves no symbol to be
# found in the host, carries no RUNPATH, and is bound and made read-only as it is loaded: the daemon refuses one that is
# otherwise. LINK is for header-only and static libraries; a shared one has to lie in a system directory on the machine
# where it runs.

function(gantry_add_driver id)
  gantry_add_module(${id} gantry_add_driver gantry_driver.map ${ARGN})
endfunction()

function(gantry_add_offers id)
  gantry_add_module(${id} gantry_add_offers gantry_offers.map ${ARGN})
endfunction()

# What both are made of: `caller` for messages, `map` names what the file shows.
function(gantry_add_module id caller map)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "" "SOURCES;LINK")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${caller}(${id}): expected SOURCES and LINK, found ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "${caller}(${id}): expected SOURCES with at least one file, found none")
  endif()
  if(NOT id MATCHES "^[A-Za-z0-9_-]+$")
    message(FATAL_ERROR "${caller}(${id}): expected an id of letters, digits, _ and -")
  endif()

  set(symbols ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${map})
  add_library(${id} MODULE ${ARG_SOURCES})
  target_link_libraries(${id} PRIVATE gantry::sdk ${ARG_LINK})
  target_compile_features(${id} PRIVATE cxx_std_17)
  # GNU_UNIQUE symbols would tie drivers to each other; clang does not make them.
  target_compile_options(${id} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  set_target_properties(${id} PROPERTIES
    PREFIX ""
    SUFFIX ".so"
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    SKIP_BUILD_RPATH ON
    INSTALL_RPATH ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/gantry/drivers
    LINK_DEPENDS ${symbols})
  target_link_options(${id} PRIVATE
    -Wl,--version-script=${symbols} -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack -Wl,--build-id)
  # clang leaves the sanitizers' symbols to the program.
  if(NOT (GANTRY_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
    target_link_options(${id} PRIVATE -Wl,-z,defs)
  endif()
endfunction()
