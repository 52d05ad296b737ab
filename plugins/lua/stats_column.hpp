// SPDX-License-Identifier: Apache-2.0
//
// One value of the hosts' stats as a column. The host has a column stats.NAME only if a manifest declares it; the names that
// a policy reads are in the policy alone. The values come from the documents of the core's column `stats`.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lua_driver {

class stats_column {
 public:
  // Reads the values of a key. The type of the column is that of most values: truths, whole numbers, numbers or texts. A
  // value of another type counts as not reported. Documents that were read before are not read again. The column is valid
  // until the next call.
  const gantry_column& read(const gantry_column& documents, std::uint32_t rows, std::string_view key);

 private:
  enum class kind : std::uint8_t { none, truth, integer, real, text };
  struct cell {
    std::uint64_t version = 0;  // the document's
    kind is = kind::none;
    double number = 0;
    std::int64_t integer = 0;
    std::string text;
  };

  static cell parse(const gantry_json& document, std::string_view key);
  std::int32_t type() const;
  void show(std::int32_t type);
  std::uint32_t code_of(const std::string& text);

  std::vector<cell> cells_;
  std::vector<std::uint64_t> validity_;
  std::vector<std::uint64_t> truths_;
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  std::vector<std::uint32_t> codes_;
  std::map<std::string, std::uint32_t> known_;  // the text of each code
  std::vector<gantry_string> dictionary_;
  gantry_column column_ = {};
};

}  // namespace lua_driver
