// SPDX-License-Identifier: Apache-2.0
//
// The manifest of a driver or of a library of offers, read from the section ".gantry.manifest" of the file. Offers are
// filters and weighers for a driver. driver.h and ext/offers.h describe the format of the manifest.
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

// serial: the host makes one call at a time. reentrant: the host may make several calls at the same time.
enum class Threads { serial, reentrant };

// A column that a manifest names.
struct ColumnUse {
  std::string name;
  std::int32_t type = 0;  // GANTRY_TYPE_*; 0 for a column of the core
};

// The host warns with the text `warning` if the value of the option, a list, contains none of `choices`.
struct OptionGuard {
  std::vector<std::string> choices;
  std::string warning;
};

// An option that the config may set for a driver or an offer.
struct OptionDeclaration {
  std::string name;
  std::int32_t type = 0;                             // GANTRY_OPTION_*
  std::optional<config::OptionValue> default_value;  // nullopt if the option is required
  std::string help;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::vector<std::string> choices;  // the values that are allowed; empty: any, unless `offers` is set
  // A kind of offers, e.g. "gantry.filter/1": names of offers of this kind are accepted too. Empty: no names of offers.
  std::string offers;
  std::vector<OptionGuard> guards;
  std::vector<ColumnUse> columns;  // columns of the core that the driver reads only if the option is not its default
  bool required = false;
};

// A filter or weigher that a library offers.
struct OfferDeclaration {
  std::string name;
  std::string kind;  // "gantry.filter/1" or "gantry.weigher/1"
  std::string help;
  Threads threads = Threads::serial;
  std::vector<ColumnUse> needs;  // as in Manifest
  std::vector<ColumnUse> uses;
  std::vector<OptionDeclaration> options;
};

// The content of a manifest. Only a driver has topics and methods. Only a library of offers has offers.
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
  std::map<std::string, std::vector<std::string>> methods;  // topic -> names of its custom methods
  std::vector<ColumnUse> needs;  // a host without a value in one of these columns is passed over
  std::vector<ColumnUse> uses;   // the columns that may lack values
  std::vector<OptionDeclaration> options;
  std::vector<OfferDeclaration> offers;  // in the order of the manifest's text
};

// Parses the text of a manifest, without the NUL at its end. Errors name line, key, expected and found.
Result<Manifest> parse_manifest(std::string_view text);

// Fails if a host of this ABI version must not load the file (driver.h, convention 9).
Result<void> check_abi(const Manifest& manifest, std::uint32_t host_major, std::uint32_t host_minor);

}  // namespace gantry::drivers
