// SPDX-License-Identifier: Apache-2.0
//
// Reads typed values from one TOML table of a manifest. Errors name line, key, expected and found. Internal to this
// folder.
#pragma once

#include <toml++/toml.h>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

class ManifestTable {
 public:
  // `prefix`: the path of the table with a dot at its end, e.g. "options.reserve.". Empty for the table at the top.
  ManifestTable(const toml::table& table, std::string prefix) : table_(table), prefix_(std::move(prefix)) {}

  // Fails for a key that is not in `known`. The error names the nearest known key.
  Result<void> check_keys(const std::vector<std::string>& known) const;

  // The overloads read one value of their type. An absent key leaves `out` unchanged, or fails if it is `required`.
  Result<void> read(std::string_view key, bool required, std::string& out) const;
  Result<void> read(std::string_view key, bool required, std::int64_t& out) const;
  Result<void> read(std::string_view key, bool required, bool& out) const;
  Result<void> read(std::string_view key, std::optional<double>& out) const;  // accepts an integer or a real
  Result<void> read(std::string_view key, bool required, std::vector<std::string>& out) const;
  Result<void> read(std::string_view key, std::optional<config::OptionValue>& out) const;
  // Returns the table at a key of this table. nullptr if the key is absent.
  Result<const toml::table*> table(std::string_view key) const;

  const toml::table& content() const { return table_; }
  std::string full_name(std::string_view key) const { return prefix_ + std::string(key); }
  // Returns the error for the value of a key that is not as expected.
  Error wrong(std::string_view key, std::string_view expected, std::string_view found,
              std::string_view advice = {}) const;

 private:
  Error missing(std::string_view key, std::string_view expected) const;
  const toml::table& table_;
  std::string prefix_;
};

// Reads the mandatory key `threads`, whose value is 'serial' or 'reentrant'.
Result<void> read_threads(const ManifestTable& table, Threads& out);
// Reads the optional key `decides_from`, whose value is 'input' or 'history'.
Result<void> read_decides_from(const ManifestTable& table, DecidesFrom& out);

}  // namespace gantry::drivers
