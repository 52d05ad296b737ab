// SPDX-License-Identifier: Apache-2.0
//
// What a driver file, or a library that offers things to drivers, says of itself, read from its ".gantry.manifest"
// section without running it. driver.h and ext/offers.h give the format.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

enum class Threads { serial, reentrant };

struct ColumnUse {
  std::string name;
  std::int32_t type = 0;  // GANTRY_TYPE_*; 0: one of the core's columns
};

// What somebody is told whose list holds none of `choices`.
struct OptionGuard {
  std::vector<std::string> choices;
  std::string warning;
};

struct OptionDeclaration {
  std::string name;
  std::int32_t type = 0;  // GANTRY_OPTION_*
  std::optional<config::OptionValue> default_value;
  std::string help;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::vector<std::string> choices;
  std::string offers;  // a kind: names of what libraries offer of it stand beside the choices; empty: none do
  std::vector<OptionGuard> guards;
  bool required = false;
};

// A filter or weigher that a library offers.
struct OfferDeclaration {
  std::string name;
  std::string kind;  // "gantry.filter/1"
  std::string help;
  Threads threads = Threads::serial;
  std::vector<ColumnUse> needs;
  std::vector<ColumnUse> uses;
  std::vector<OptionDeclaration> options;
};

// A driver has topics, a library offers; what neither has is empty.
struct Manifest {
  std::string id;
  std::string version;
  std::string description;
  std::string license;
  std::string vendor;
  std::uint32_t abi_major = 0;
  std::uint32_t abi_minor = 0;
  std::uint32_t needs_minor = 0;
  Threads threads = Threads::serial;
  std::vector<std::string> topics;
  std::map<std::string, std::vector<std::string>> methods;  // topic -> custom methods
  std::vector<ColumnUse> needs;
  std::vector<ColumnUse> uses;
  std::vector<OptionDeclaration> options;
  std::vector<OfferDeclaration> offers;  // in the order of the text
};

// `text` is the section's content up to its first NUL. Errors name the line, the key, expected and found.
Result<Manifest> parse_manifest(std::string_view text);

// Whether a host of this ABI loads it: equal major, and minor as driver.h's convention 9 says.
Result<void> check_abi(const Manifest& manifest, std::uint32_t host_major, std::uint32_t host_minor);

}  // namespace gantry::drivers
