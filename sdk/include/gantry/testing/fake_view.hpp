// SPDX-License-Identifier: Apache-2.0
//
// A view, built from the rows of a test.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/column_set.hpp>
#include <gantry/testing/fake_request.hpp>
#include <gantry/testing/host_row.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gantry::testing {

// Owns the memory of its gantry_view. Copies the rows that it is built from.
class fake_view : public column_set {
 public:
  fake_view(std::string_view topic, const std::vector<host_row>& rows, std::uint64_t generation)
      : column_set(static_cast<std::uint32_t>(rows.size())) {
    add_texts(rows);
    add_flags(rows);
    add_capacity(rows);
    add_claims(rows);
    add_further(rows);
    add_instances(rows);
    add_aggregates(rows);
    view_ = {sizeof(gantry_view),
             rows_,
             generation,
             arena_.copy(topic),
             columns_.data(),
             static_cast<std::uint32_t>(columns_.size()),
             sizeof(gantry_column),
             aggregates_.data(),
             static_cast<std::uint32_t>(aggregates_.size()),
             sizeof(gantry_aggregate)};
  }

  // Makes a derived view. It shares the columns of `origin`, which must outlive it, until own() copies a column.
  explicit fake_view(const gantry_view& origin) : column_set(origin), view_(origin) {
    view_.generation = 0;
    view_.columns = columns_.data();
  }

  const gantry_view& raw() const noexcept { return view_; }

  // Returns a bitmap of the rows that have a value in each of the columns `needs`, as gantry_request.complete wants it.
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
    std::map<std::string, bool> resources = {
        {"vcpu", true}, {"memory_mb", true}, {"disk_gb", true}, {"instances", true}};
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

  // Adds the column `aggregates`. Its dictionary has one set for each row, even if several rows have equal sets.
  void add_aggregates(const std::vector<host_row>& rows) {
    std::map<std::int64_t, std::uint32_t> known;
    std::size_t count = 0;
    for (const host_row& row : rows) {
      count += row.aggregates.size();
      for (const host_aggregate& aggregate : row.aggregates) {
        if (!known.emplace(aggregate.id, static_cast<std::uint32_t>(aggregates_.size())).second) continue;
        aggregates_.push_back({aggregate.id, arena_.copy(aggregate.uuid), arena_.copy(aggregate.name),
                               copy_pairs(arena_, aggregate.metadata)});
      }
    }
    std::uint32_t* elements = arena_.array<std::uint32_t>(count + 1);
    gantry_slice* sets = arena_.array<gantry_slice>(rows.size() + 1);
    gantry_column& column = add("aggregates", GANTRY_TYPE_SET);
    auto* codes = static_cast<std::uint32_t*>(const_cast<void*>(column.values));
    std::uint32_t used = 0;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      codes[row] = row;
      sets[row] = {used, static_cast<std::uint32_t>(rows[row].aggregates.size())};
      for (const host_aggregate& aggregate : rows[row].aggregates) elements[used++] = known[aggregate.id];
    }
    column.dictionary = sets;
    column.dictionary_count = rows_;
    column.dictionary_version = 1;
    column.elements = elements;
  }

  std::vector<gantry_aggregate> aggregates_;
  gantry_view view_ = {};
};

}  // namespace gantry::testing
