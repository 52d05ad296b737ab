# Writes, from nova_classes.txt and manifest_options.toml.in, the headers below. They are included with <>:
#
#   nova_classes.hpp      the names alone, for the core's command line as well
#   builtin_filters.hpp   the registry's filters: each filter_rule declared, and an array of them
#   builtin_weighers.hpp  the same of the weighers
#   filter_manifest.hpp  FILTER_DRIVER_OPTIONS, the options of the driver's manifest: a macro, since a manifest is one literal
#
# The libraries nova_classes and filter_builtins carry the folders of the first and of the others.

set(names_folder ${CMAKE_CURRENT_BINARY_DIR}/names)
set(builtins_folder ${CMAKE_CURRENT_BINARY_DIR}/builtins)
set(template ${CMAKE_CURRENT_SOURCE_DIR}/manifest_options.toml.in)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS nova_classes.txt manifest_options.toml.in)

# Sets <result> to the name of the class's rule in the code: NUMATopologyFilter -> numa_topology_filter.
function(rule_of class kind result)
  string(REGEX REPLACE "([A-Z]+)([A-Z][a-z])" "\\1_\\2" rule ${class})
  string(REGEX REPLACE "([a-z])([A-Z])" "\\1_\\2" rule ${rule})
  string(TOLOWER ${rule} rule)
  string(REGEX REPLACE "_${kind}$" "" rule ${rule})
  set(${result} ${rule}_${kind} PARENT_SCOPE)
endfunction()

# Writes the file where its content is another, so that nothing is compiled again in vain.
function(write_header path content)
  file(CONFIGURE OUTPUT ${path} CONTENT
    "// Written by plugins/filter/nova_classes.cmake.\n#pragma once\n\n${content}" @ONLY)
endfunction()

# Declares the rules of one kind for the registry.
function(write_builtins kind)
  list(LENGTH ${kind}_rules count)
  foreach(rule IN LISTS ${kind}_rules)
    string(APPEND declared "extern const ${kind}_rule ${rule};\n")
    string(APPEND listed "    &${rule},\n")
  endforeach()
  write_header(${builtins_folder}/builtin_${kind}s.hpp
    "#include <array>\n\n#include \"rules/${kind}.hpp\"\n\nnamespace filter_driver {\n\n${declared}
inline constexpr std::array<const ${kind}_rule*, ${count}> builtin_${kind}s{\n${listed}};\n\n}\n")
endfunction()

file(STRINGS nova_classes.txt releases REGEX "^releases ")
string(REGEX REPLACE "^releases " "" releases "${releases}")
string(REPLACE " " ";" releases "${releases}")
list(LENGTH releases release_count)
list(JOIN releases "\", \"" release_names)

file(STRINGS nova_classes.txt lines REGEX "^(filter|weigher) ")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(filter|weigher) (([a-z_]+)\\.)?([A-Za-z]+) ([a-z]+) ([a-z]+)$")
    message(FATAL_ERROR "nova_classes.txt: expected a kind, a class and two releases, found ${line}")
  endif()
  foreach(release IN ITEMS ${CMAKE_MATCH_5} ${CMAKE_MATCH_6})
    if(NOT release IN_LIST releases)
      message(FATAL_ERROR "nova_classes.txt: expected one of its releases, found ${release} in ${line}")
    endif()
  endforeach()
  set(class ${CMAKE_MATCH_4})
  list(APPEND ${CMAKE_MATCH_1}_entries
    "    nova_class{\"${CMAKE_MATCH_3}\", \"${class}\", \"${CMAKE_MATCH_5}\", \"${CMAKE_MATCH_6}\"},\n")
  list(APPEND ${CMAKE_MATCH_1}_classes ${class})
  list(APPEND ${class}_path nova.scheduler.weights.${CMAKE_MATCH_3}.${class})
  rule_of(${class} ${CMAKE_MATCH_1} rule)
  list(APPEND ${CMAKE_MATCH_1}_rules ${rule})
endforeach()

list(LENGTH filter_classes filter_count)
list(LENGTH weigher_classes weigher_count)
string(CONCAT content "#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace nova_classes {

// The releases of Nova in lower case, the oldest first.
inline constexpr std::array<std::string_view, ${release_count}> releases{\"${release_names}\"};

// Returns the release's position in `releases`. An unknown name comes after all.
constexpr std::ptrdiff_t position_of(std::string_view release) {
  return std::find(releases.begin(), releases.end(), release) - releases.begin();
}

struct nova_class {
  std::string_view module;  // of a weigher: its module in nova.scheduler.weights
  std::string_view name;
  std::string_view first_release;  // one of `releases`, as the last
  std::string_view last_release;

  // Returns true if the Nova of this release has the class.
  constexpr bool is_in(std::string_view release) const {
    const auto position = position_of(release);
    return position_of(first_release) <= position && position <= position_of(last_release);
  }
};

inline constexpr std::array<nova_class, ${filter_count}> filters{\n" ${filter_entries} "};

// In the order in which nova.scheduler.weights.all_weighers adds their terms.
inline constexpr std::array<nova_class, ${weigher_count}> weighers{\n" ${weigher_entries} "};\n\n}\n")
write_header(${names_folder}/nova_classes.hpp "${content}")
write_builtins(filter)
write_builtins(weigher)

# The choices: sorted, as they are shown.
list(JOIN weigher_classes ", " weigher_names)
list(SORT weigher_classes)
foreach(class IN LISTS weigher_classes)
  list(APPEND weigher_paths ${${class}_path})
endforeach()
list(JOIN filter_classes "', '" filter_choices)
list(JOIN weigher_classes "', '" plain_choices)
list(JOIN weigher_paths "', '" path_choices)
set(filter_choices "'${filter_choices}'")
set(weigher_choices "'nova.scheduler.weights.all_weighers', '${plain_choices}', '${path_choices}'")

file(READ ${template} options)
string(REGEX REPLACE "(^|\n)(#[^\n]*\n)+" "\\1" options "${options}")
string(CONFIGURE "${options}" options @ONLY)
string(REPLACE "\\" "\\\\" options "${options}")
string(REPLACE "\"" "\\\"" options "${options}")
string(REPLACE "\n" "\\n\" \\\n  \"" options "${options}")
write_header(${builtins_folder}/filter_manifest.hpp "#define FILTER_DRIVER_OPTIONS \\\n  \"${options}\"\n")

add_library(nova_classes INTERFACE)
target_include_directories(nova_classes INTERFACE ${names_folder})
add_library(filter_builtins INTERFACE)
target_include_directories(filter_builtins INTERFACE ${builtins_folder})
