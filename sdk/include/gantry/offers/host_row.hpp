// SPDX-License-Identifier: Apache-2.0
//
// One host and its values by column name, for filters and weighers that look at one host at a time. A column is looked
// up once for all rows of a call.
#pragma once

#include <gantry/driver/text.hpp>
#include <gantry/driver/view.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry {

// The columns of a view that a filter or weigher has used so far. Lives for one call.
class host_columns {
 public:
  explicit host_columns(const view& view) noexcept : view_(view) {}

  const gantry::view& view() const noexcept { return view_; }

  // Returns a column; nullptr if the view lacks the column or the column is of another type. The pointer is valid until
  // the next find.
  template <class Column>
  const Column* find(std::string_view name) {
    auto& columns = static_cast<found_as<Column>&>(found_).columns;
    for (const auto& [known_name, column] : columns) {
      if (known_name == name) return column ? &*column : nullptr;
    }
    const auto& added = columns.emplace_back(name, view_.find<Column>(name)).second;
    return added ? &*added : nullptr;
  }

 private:
  template <class Column>
  struct found_as {
    std::vector<std::pair<std::string, std::optional<Column>>> columns;
  };
  struct found : found_as<text_column>,
                 found_as<column<std::int64_t>>,
                 found_as<column<double>>,
                 found_as<flag_column>,
                 found_as<column<gantry_json>>,
                 found_as<set_column>,
                 found_as<uuid_column> {};

  gantry::view view_;
  found found_;
};

// The values of one host. The functions below take the name of a column of the manifest's columns.needs or
// columns.uses. host(), instances() and each_aggregate_value() read "host", "instances" and "aggregates".
class host_row_view {
 public:
  host_row_view(host_columns& columns, std::uint32_t row) noexcept : columns_(&columns), row_(row) {}

  std::uint32_t row() const noexcept { return row_; }
  std::string_view host() const { return text("host"); }

  // The functions below return an empty text or list, or nullopt, if the host never reported a value or the column is
  // of another type.
  std::string_view text(std::string_view name) const {
    const auto* found = columns_->find<text_column>(name);
    return found != nullptr ? (*found)[row_] : std::string_view();
  }
  std::optional<std::int64_t> integer(std::string_view name) const {
    return value<column<std::int64_t>, std::int64_t>(name);
  }
  std::optional<double> real(std::string_view name) const { return value<column<double>, double>(name); }
  std::optional<bool> flag(std::string_view name) const { return value<flag_column, bool>(name); }
  std::string_view document(std::string_view name) const {  // JSON
    const auto* found = columns_->find<column<gantry_json>>(name);
    return found != nullptr && found->has(row_) ? gantry::text((*found)[row_].text) : std::string_view();
  }
  span<const gantry_uuid> instances() const {
    const auto* found = columns_->find<uuid_column>("instances");
    return found != nullptr ? (*found)[row_] : span<const gantry_uuid>();
  }

  // Calls visit(value) for each value that the host's aggregates have under the key in their metadata.
  template <class Visit>
  void each_aggregate_value(std::string_view key, Visit&& visit) const {
    const auto* found = columns_->find<set_column>("aggregates");
    if (found == nullptr) return;
    for (const std::uint32_t index : (*found)[row_]) {
      for (const gantry_pair& pair : each(columns_->view().aggregate(index).metadata)) {
        if (gantry::text(pair.key) == key) visit(gantry::text(pair.value));
      }
    }
  }

 private:
  template <class Column, class Value>
  std::optional<Value> value(std::string_view name) const {
    const auto* found = columns_->find<Column>(name);
    return found != nullptr && found->has(row_) ? std::optional<Value>((*found)[row_]) : std::nullopt;
  }

  host_columns* columns_;
  std::uint32_t row_;
};

}  // namespace gantry
