# zoo_driver(<name> [<definition>...] [LIBRARY <target>] [LINK_OPTIONS <option>...]): zoo_driver.c, bent, as
# <build>/lib/zoo/<name>.so
function(zoo_driver name)
  zoo_module(${name} zoo_driver.c ${ARGN})
endfunction()

# The same for zoo_offers.c, a library of offers.
function(zoo_offers name)
  zoo_module(${name} zoo_offers.c ${ARGN})
endfunction()

function(zoo_module name source)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "LIBRARY" "LINK_OPTIONS")
  add_library(zoo_${name} MODULE ${PROJECT_SOURCE_DIR}/tests/drivers/${source})
  target_include_directories(zoo_${name} PRIVATE ${PROJECT_SOURCE_DIR}/sdk/include)
  target_compile_definitions(zoo_${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
  # The zoo misbehaves on purpose: no sanitizer between a test and the fault that it asks for.
  target_compile_options(zoo_${name} PRIVATE -fno-sanitize=all -Wno-unused-function -Wno-unused-variable)
  target_link_options(zoo_${name} PRIVATE -fno-sanitize=all ${ARG_LINK_OPTIONS})
  if(ARG_LIBRARY)
    target_link_libraries(zoo_${name} PRIVATE ${ARG_LIBRARY})
  endif()
  set_target_properties(zoo_${name} PROPERTIES UNITY_BUILD OFF PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden
    SKIP_BUILD_RPATH ON LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/zoo)
  set_property(GLOBAL APPEND PROPERTY GANTRY_ZOO zoo_${name})
endfunction()
