// SPDX-License-Identifier: Apache-2.0
//
// The manifest of a driver or of a library of offers, read from the section ".gantry.manifest" of its file. driver.h
// and ext/offers.h describe the format.
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
  std::int32_t type = 0;  // GANTRY_TYPE_*; 0 for a column of the core
};

// A warning for a list that contains none of `choices`.
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
  std::string offers;  // a kind: names of offers of this kind are accepted beside the choices; may be empty
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

// A driver has topics and a library has offers. The members of the other are empty.
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

// Parses the content of the section up to its first NUL. Errors name line, key, expected and found.
Result<Manifest> parse_manifest(std::string_view text);

// Fails if a host of this ABI version must not load the file (driver.h, convention 9).
Result<void> check_abi(const Manifest& manifest, std::uint32_t host_major, std::uint32_t host_minor);

}  // namespace gantry::drivers
