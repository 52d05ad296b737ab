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
#include "gantry/driver.h"

namespace gantry::drivers {

// serial: the host makes one call at a time. reentrant: the host may make several calls at the same time.
enum class Threads { serial, reentrant };

// input: the same input, seed and time give the same decision. history: decisions also depend on what the driver has seen
// before, as in a round robin or a policy that learns.
enum class DecidesFrom { input, history };
std::string_view name_of(DecidesFrom from);  // "input" or "history"

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
  // The value is the absolute path of a file that the driver reads in create. A reload makes a new instance if the file's
  // content is another.
  bool is_file = false;
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

// An offer of a kind that a later host knows, and this one does not.
struct LeftOutOffer {
  std::string name;
  std::string kind;
};

// The content of a manifest. Only a driver has topics and methods. Only a library of offers has offers.
struct Manifest {
  bool is_library = false;
  std::string
      id;  // the name of the driver: the file's own id, or the one that [driver.NAME] gives with `file` or `path`
  std::string kind;  // the file's own id, where `id` is another; see own_id()
  std::string version;
  std::string description;
  std::string license;
  std::string vendor;
  std::uint32_t abi_major = 0;
  std::uint32_t abi_minor = 0;
  std::uint32_t needs_minor = 0;
  Threads threads = Threads::serial;
  DecidesFrom decides_from = DecidesFrom::input;
  config::Isolation isolation = config::Isolation::none;  // where the driver runs if its section does not say
  std::vector<std::string> topics;
  std::map<std::string, std::vector<std::string>> methods;  // topic -> names of its custom methods
  std::vector<ColumnUse> needs;  // a host without a value in one of these columns is passed over
  std::vector<ColumnUse> uses;   // the columns that may lack values
  std::vector<OptionDeclaration> options;
  std::vector<OfferDeclaration> offers;  // in the order of the manifest's text
  // Only the manifest of a minor later than the host's has some.
  std::vector<LeftOutOffer> left_out_offers;

  // Returns the id that the file itself has. Several drivers of a configuration may have one file.
  const std::string& own_id() const { return kind.empty() ? id : kind; }
};

// Parses the text of a manifest, without the NUL at its end. Errors name line, key, expected and found. A manifest of
// another ABI version is read as far as this host understands it. If it does not, and the host must not load the file
// anyway, the error is that of check_abi.
Result<Manifest> parse_manifest(std::string_view text, std::uint32_t host_major = GANTRY_ABI_MAJOR,
                                std::uint32_t host_minor = GANTRY_ABI_MINOR);

// Fails if a host of this ABI version must not load the file (driver.h, convention 9).
Result<void> check_abi(const Manifest& manifest, std::uint32_t host_major, std::uint32_t host_minor);

// Returns a sentence for each offer that is left out, and for each option that takes offers of a later kind.
std::vector<std::string> left_out_warnings(const Manifest& manifest);

// Returns why the driver's decisions cannot be repeated, as a sentence. nullopt: they can.
std::optional<std::string> why_unrepeatable(const Manifest& manifest);

}  // namespace gantry::drivers
