// SPDX-License-Identifier: Apache-2.0
//
// A view made of rows that a test writes down. Columns are laid out as the real host lays them out.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/arena.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace gantry::testing {

struct json_text {
  std::string text;
};

using column_value = std::variant<bool, std::int64_t, double, std::string, json_text>;

// A (host, node) and what is known of it. std::nullopt: never reported. The defaults are an empty, healthy host.
struct host_row {
  std::string host;
  std::string node = {};  // empty: a host without nodes
  bool up = true;
  bool disabled = false;
  bool forced_down = false;
  std::string availability_zone = "nova";
  std::optional<std::int64_t> vcpus = 16;
  std::optional<std::int64_t> memory_mb = 65536;
  std::optional<std::int64_t> local_gb = 1000;
  std::optional<double> vcpus_used = 0.0;  // as reported: claims come on top
  std::optional<double> memory_mb_used = 0.0;
  std::optional<double> local_gb_used = 0.0;
  double cpu_allocation_ratio = 16.0;
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;
  std::map<std::string, double> claims = {};  // by resource: vcpu, memory_mb, disk_gb, or any
  std::map<std::string, column_value> columns =
      {};  // any further column, by its full name: "stats.rack", "running_vms"
  std::vector<gantry_uuid> instances = {};
};

// Owns what its gantry_view points to. Built from rows, which it does not refer to afterwards.
class fake_view {
 public:
  fake_view(std::string_view topic, const std::vector<host_row>& rows, std::uint64_t generation)
      : rows_(static_cast<std::uint32_t>(rows.size())) {
    add_texts(rows);
    add_flags(rows);
    add_capacity(rows);
    add_claims(rows);
    add_further(rows);
    add_instances(rows);
    view_ = {sizeof(gantry_view),     rows_,           generation,
             arena_.copy(topic),      columns_.data(), static_cast<std::uint32_t>(columns_.size()),
             sizeof(gantry_column),   nullptr,         0,
             sizeof(gantry_aggregate)};
  }
  fake_view(const fake_view&) = delete;
  fake_view& operator=(const fake_view&) = delete;

  // A derived view: the same columns, until write() makes one its own. `origin` outlives it.
  explicit fake_view(const gantry_view& origin)
      : rows_(origin.rows), columns_(origin.columns, origin.columns + origin.column_count), view_(origin) {
    view_.columns = columns_.data();
  }

  const gantry_view& raw() const noexcept { return view_; }

  const gantry_column* find(std::string_view name) const {
    for (const gantry_column& column : columns_) {
      if (text(column.name) == name) return &column;
    }
    return nullptr;
  }

  std::optional<gantry_writable> write(std::string_view name) {
    for (gantry_column& column : columns_) {
      if (text(column.name) != name) continue;
      const std::size_t bytes = value_bytes(column.type);
      void* values = arena_.allocate(bytes);
      if (bytes != 0) std::memcpy(values, column.values, bytes);
      std::uint64_t* validity = arena_.array<std::uint64_t>(words());
      for (std::size_t word = 0; word < words(); ++word) {
        validity[word] = column.validity == nullptr ? ~std::uint64_t{0} : column.validity[word];
      }
      column.values = values;
      column.validity = validity;
      return gantry_writable{values, validity};
    }
    return std::nullopt;
  }

  // Rows that have a value in each of these columns, as a gantry_request carries them.
  std::vector<std::uint64_t> complete(const std::vector<std::string>& needs) const {
    std::vector<std::uint64_t> rows(words() + 1, 0);
    for (std::uint32_t row = 0; row < rows_; ++row) rows[row / 64] |= std::uint64_t{1} << (row % 64);
    for (const std::string& name : needs) {
      const gantry_column* column = find(name);
      for (std::size_t word = 0; word < words(); ++word) {
        if (column == nullptr)
          rows[word] = 0;
        else if (column->validity != nullptr)
          rows[word] &= column->validity[word];
      }
    }
    return rows;
  }

 private:
  std::size_t words() const noexcept { return (std::size_t{rows_} + 63) / 64; }

  std::size_t value_bytes(std::int32_t type) const noexcept {
    switch (type) {
      case GANTRY_TYPE_BOOL: return words() * 8;
      case GANTRY_TYPE_STRING:
      case GANTRY_TYPE_SET: return std::size_t{rows_} * 4;
      case GANTRY_TYPE_JSON: return std::size_t{rows_} * sizeof(gantry_json);
      default: return std::size_t{rows_} * 8;
    }
  }

  gantry_column& add(std::string_view name, std::int32_t type) {
    gantry_column column = {};
    column.name = arena_.copy(name);
    column.type = type;
    column.values = arena_.allocate(value_bytes(type));
    columns_.push_back(column);
    return columns_.back();
  }

  // value_of(row) is an std::optional of the column's type.
  template <class Stored, class Rows, class ValueOf>
  void add_values(std::string_view name, std::int32_t type, const Rows& rows, ValueOf&& value_of) {
    gantry_column& column = add(name, type);
    auto* values = static_cast<Stored*>(const_cast<void*>(column.values));
    std::uint64_t* validity = nullptr;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (const auto value = value_of(rows[row])) {
        values[row] = *value;
        continue;
      }
      if (validity == nullptr) {
        validity = arena_.array<std::uint64_t>(words());
        std::memset(validity, 0xff, words() * sizeof(std::uint64_t));
      }
      validity[row / 64] &= ~(std::uint64_t{1} << (row % 64));
    }
    column.validity = validity;
  }

  template <class FlagOf>
  void add_flag(std::string_view name, const std::vector<host_row>& rows, FlagOf&& flag_of) {
    auto* words = static_cast<std::uint64_t*>(const_cast<void*>(add(name, GANTRY_TYPE_BOOL).values));
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (flag_of(rows[row])) words[row / 64] |= std::uint64_t{1} << (row % 64);
    }
  }

  // An empty text is no value.
  template <class TextOf>
  void add_text(std::string_view name, const std::vector<host_row>& rows, TextOf&& text_of) {
    std::unordered_map<std::string, std::uint32_t> known;
    std::vector<std::string> dictionary;
    add_values<std::uint32_t>(name, GANTRY_TYPE_STRING, rows, [&](const host_row& row) -> std::optional<std::uint32_t> {
      const std::string value = text_of(row);
      if (value.empty()) return std::nullopt;
      const auto [place, is_new] = known.emplace(value, static_cast<std::uint32_t>(dictionary.size()));
      if (is_new) dictionary.push_back(value);
      return place->second;
    });
    std::size_t size = 0;
    for (const std::string& word : dictionary) size += word.size();
    char* letters = arena_.array<char>(size);
    gantry_string* entries = arena_.array<gantry_string>(dictionary.size() + 1);
    for (std::size_t code = 0; code < dictionary.size(); ++code) {
      std::memcpy(letters, dictionary[code].data(), dictionary[code].size());
      entries[code] = {letters, dictionary[code].size()};
      letters += dictionary[code].size();
    }
    columns_.back().dictionary = entries;
    columns_.back().dictionary_count = dictionary.size();
    columns_.back().dictionary_version = 1;
  }

  void add_texts(const std::vector<host_row>& rows) {
    add_text("host", rows, [](const host_row& row) { return row.host; });
    add_text("hypervisor_hostname", rows, [](const host_row& row) { return row.node; });
    add_text("availability_zone", rows, [](const host_row& row) { return row.availability_zone; });
  }

  void add_flags(const std::vector<host_row>& rows) {
    add_flag("up", rows, [](const host_row& row) { return row.up && !row.forced_down; });
    add_flag("disabled", rows, [](const host_row& row) { return row.disabled; });
    add_flag("forced_down", rows, [](const host_row& row) { return row.forced_down; });
  }

  void add_capacity(const std::vector<host_row>& rows) {
    using field = std::optional<std::int64_t> host_row::*;
    for (const auto& [name, member] : {std::pair<const char*, field>{"vcpus", &host_row::vcpus},
                                       {"memory_mb", &host_row::memory_mb},
                                       {"local_gb", &host_row::local_gb}}) {
      add_values<std::int64_t>(name, GANTRY_TYPE_I64, rows, [at = member](const host_row& row) { return row.*at; });
    }
    add_use("vcpus_used", "vcpu", &host_row::vcpus_used, rows);
    add_use("memory_mb_used", "memory_mb", &host_row::memory_mb_used, rows);
    add_use("local_gb_used", "disk_gb", &host_row::local_gb_used, rows);
    using ratio = double host_row::*;
    for (const auto& [name, member] :
         {std::pair<const char*, ratio>{"cpu_allocation_ratio", &host_row::cpu_allocation_ratio},
          {"ram_allocation_ratio", &host_row::ram_allocation_ratio},
          {"disk_allocation_ratio", &host_row::disk_allocation_ratio}}) {
      add_values<double>(name, GANTRY_TYPE_F64, rows,
                         [at = member](const host_row& row) { return std::optional<double>(row.*at); });
    }
  }

  void add_use(std::string_view name, const std::string& resource, std::optional<double> host_row::*member,
               const std::vector<host_row>& rows) {
    add_values<double>(name, GANTRY_TYPE_F64, rows, [&](const host_row& row) -> std::optional<double> {
      if (!(row.*member)) return std::nullopt;
      const auto claimed = row.claims.find(resource);
      return *(row.*member) + (claimed == row.claims.end() ? 0 : claimed->second);
    });
  }

  void add_claims(const std::vector<host_row>& rows) {
    std::map<std::string, bool> resources = {{"vcpu", true}, {"memory_mb", true}, {"disk_gb", true}};
    for (const host_row& row : rows) {
      for (const auto& claim : row.claims) resources[claim.first] = true;
    }
    for (const auto& resource : resources) {
      add_values<double>("claims." + resource.first, GANTRY_TYPE_F64, rows, [&](const host_row& row) {
        const auto claimed = row.claims.find(resource.first);
        return std::optional<double>(claimed == row.claims.end() ? 0 : claimed->second);
      });
    }
  }

  void add_further(const std::vector<host_row>& rows) {
    std::map<std::string, column_value> examples;
    for (const host_row& row : rows) examples.insert(row.columns.begin(), row.columns.end());
    for (const auto& [name, example] : examples) {
      std::visit([&, &at = name](const auto& value) { add_further_column(at, value, rows); }, example);
    }
  }

  template <class Value>
  static std::optional<Value> further(const host_row& row, const std::string& name) {
    const auto found = row.columns.find(name);
    if (found == row.columns.end() || !std::holds_alternative<Value>(found->second)) return std::nullopt;
    return std::get<Value>(found->second);
  }

  void add_further_column(const std::string& name, bool, const std::vector<host_row>& rows) {
    add_flag(name, rows, [&](const host_row& row) { return further<bool>(row, name).value_or(false); });
  }
  void add_further_column(const std::string& name, std::int64_t, const std::vector<host_row>& rows) {
    add_values<std::int64_t>(name, GANTRY_TYPE_I64, rows,
                             [&](const host_row& row) { return further<std::int64_t>(row, name); });
  }
  void add_further_column(const std::string& name, double, const std::vector<host_row>& rows) {
    add_values<double>(name, GANTRY_TYPE_F64, rows, [&](const host_row& row) { return further<double>(row, name); });
  }
  void add_further_column(const std::string& name, const std::string&, const std::vector<host_row>& rows) {
    add_text(name, rows, [&](const host_row& row) { return further<std::string>(row, name).value_or(std::string()); });
  }
  void add_further_column(const std::string& name, const json_text&, const std::vector<host_row>& rows) {
    add_values<gantry_json>(name, GANTRY_TYPE_JSON, rows, [&](const host_row& row) -> std::optional<gantry_json> {
      const auto value = further<json_text>(row, name);
      if (!value) return std::nullopt;
      return gantry_json{arena_.copy(value->text), 0};
    });
  }

  void add_instances(const std::vector<host_row>& rows) {
    std::size_t count = 0;
    for (const host_row& row : rows) count += row.instances.size();
    gantry_uuid* elements = arena_.array<gantry_uuid>(count + 1);
    std::uint32_t begin = 0;
    add_values<gantry_slice>("instances", GANTRY_TYPE_UUIDS, rows, [&](const host_row& row) {
      for (std::size_t index = 0; index < row.instances.size(); ++index) elements[begin + index] = row.instances[index];
      const gantry_slice slice = {begin, static_cast<std::uint32_t>(row.instances.size())};
      begin += slice.count;
      return std::optional<gantry_slice>(slice);
    });
    columns_.back().elements = elements;
  }

  std::uint32_t rows_;
  arena arena_;
  std::vector<gantry_column> columns_;
  gantry_view view_ = {};
};

}  // namespace gantry::testing
