// SPDX-License-Identifier: Apache-2.0
//
// The columns of a fake view and their memory. The layout in memory is the one of the real host.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/arena.hpp>
#include <gantry/testing/host_row.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gantry::testing {

class column_set {
 public:
  explicit column_set(std::uint32_t rows) : rows_(rows) {}
  // Makes a set that shares the columns of `origin`, which must outlive the set. own() replaces a shared column by a
  // copy.
  explicit column_set(const gantry_view& origin)
      : rows_(origin.rows), columns_(origin.columns, origin.columns + origin.column_count) {}
  column_set(const column_set&) = delete;
  column_set& operator=(const column_set&) = delete;

  const gantry_column* find(std::string_view name) const {
    for (const gantry_column& column : columns_) {
      if (text(column.name) == name) return &column;
    }
    return nullptr;
  }

  // Returns this set's own copy of a column, made at the first call. nullptr if the column does not exist.
  gantry_column* own(std::string_view name) {
    for (std::size_t position = 0; position < columns_.size(); ++position) {
      gantry_column& column = columns_[position];
      if (text(column.name) != name) continue;
      if (owned_.insert(position).second) copy(column);
      return &column;
    }
    return nullptr;
  }
  // Copies the columns that `parent` owns, so that a later change of the parent does not change this set.
  void copy_owned_of(const column_set& parent) {
    for (const std::size_t position : parent.owned_) {
      copy(columns_[position]);
      owned_.insert(position);
    }
  }

  // Adds an element to a row's list, unless the list has it already. `element` points to a gantry_uuid for a column of
  // type UUIDS, to a std::uint32_t for one of type SET. Returns false if the column does not exist or has no lists.
  bool append(std::string_view name, std::uint32_t row, const void* element) {
    gantry_column* column = own(name);
    if (column == nullptr) return false;
    if (column->type == GANTRY_TYPE_UUIDS) {
      gantry_uuid uuid = {};
      std::memcpy(&uuid, element, sizeof uuid);
      auto* slices = static_cast<gantry_slice*>(const_cast<void*>(column->values));
      slices[row] = extend(*column, is_valid(*column, row) ? slices[row] : gantry_slice{}, uuid, all_of(*column));
    } else if (column->type == GANTRY_TYPE_SET) {
      std::uint32_t index = 0;
      std::memcpy(&index, element, sizeof index);
      append_to_set(*column, row, index);
    } else {
      return false;
    }
    const_cast<std::uint64_t*>(column->validity)[row / 64] |= std::uint64_t{1} << (row % 64);
    return true;
  }

  // Adds a column of zeros. It stands for claims.R if no row has a claim of the resource R. No row is null.
  const gantry_column& add_zeros(std::string_view name) {
    return zeros_.emplace_back(add_column(name, GANTRY_TYPE_F64));
  }
  const gantry_column* find_zeros(std::string_view name) const {
    for (const gantry_column& column : zeros_) {
      if (text(column.name) == name) return &column;
    }
    return nullptr;
  }

 protected:
  std::size_t words() const noexcept { return (std::size_t{rows_} + 63) / 64; }

  std::size_t value_bytes(std::int32_t type) const noexcept {
    switch (type) {
      case GANTRY_TYPE_BOOL: return words() * 8;
      case GANTRY_TYPE_STRING:
      case GANTRY_TYPE_SET: return words() * 64 * 4;
      case GANTRY_TYPE_JSON: return words() * 64 * sizeof(gantry_json);
      default: return words() * 64 * 8;
    }
  }

  gantry_column add_column(std::string_view name, std::int32_t type) {
    gantry_column column = {};
    column.name = arena_.copy(name);
    column.type = type;
    column.struct_size = sizeof(gantry_column);
    column.values = arena_.allocate(value_bytes(type));
    return column;
  }
  gantry_column& add(std::string_view name, std::int32_t type) {
    columns_.push_back(add_column(name, type));
    return columns_.back();
  }

  // Adds a column with the values that value_of(row) returns. std::nullopt makes the row null.
  template <class Stored, class Rows, class ValueOf>
  void add_values(std::string_view name, std::int32_t type, const Rows& rows, ValueOf&& value_of) {
    gantry_column& column = add(name, type);
    auto* values = static_cast<Stored*>(const_cast<void*>(column.values));
    // The values of null rows and those behind the last row have no meaning: a driver that reads them shows it.
    std::memset(static_cast<void*>(values), 0xff, value_bytes(type));
    std::uint64_t* validity = nullptr;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (const auto value = value_of(rows[row])) {
        values[row] = *value;
        continue;
      }
      if (validity == nullptr) {
        validity = arena_.array<std::uint64_t>(words());
        for (std::uint32_t each = 0; each < rows_; ++each) validity[each / 64] |= std::uint64_t{1} << (each % 64);
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

  // Adds a column of texts. A row with an empty text is null.
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
      std::copy(dictionary[code].begin(), dictionary[code].end(), letters);
      entries[code] = {letters, dictionary[code].size()};
      letters += dictionary[code].size();
    }
    columns_.back().dictionary = entries;
    columns_.back().dictionary_count = dictionary.size();
    columns_.back().dictionary_version = 1;
  }

  std::uint32_t rows_;
  arena arena_;
  std::vector<gantry_column> columns_;

 private:
  static bool is_valid(const gantry_column& column, std::uint32_t row) {
    return column.validity == nullptr || ((column.validity[row / 64] >> (row % 64)) & 1) != 0;
  }

  void copy(gantry_column& column) {
    const std::size_t bytes = value_bytes(column.type);
    void* values = arena_.allocate(bytes);
    if (bytes != 0) std::memcpy(values, column.values, bytes);
    std::uint64_t* validity = arena_.array<std::uint64_t>(words());
    for (std::size_t word = 0; word < words(); ++word) {
      validity[word] = column.validity == nullptr ? ~std::uint64_t{0} : column.validity[word];
    }
    if (rows_ % 64 != 0) validity[rows_ / 64] &= (std::uint64_t{1} << (rows_ % 64)) - 1;
    column.values = values;
    column.validity = validity;
  }

  // Returns how many elements of column.elements the lists use: the largest end of a slice.
  std::size_t all_of(const gantry_column& column) const {
    std::size_t end = 0;
    const bool is_set = column.type == GANTRY_TYPE_SET;
    const auto* slices = static_cast<const gantry_slice*>(is_set ? column.dictionary : column.values);
    const std::size_t count = is_set ? column.dictionary_count : rows_;
    for (std::size_t at = 0; at < count; ++at) {
      if (!is_set && !is_valid(column, static_cast<std::uint32_t>(at))) continue;
      const std::size_t reach = std::size_t{slices[at].begin} + slices[at].count;
      if (slices[at].count != 0 && reach > end) end = reach;
    }
    return end;
  }

  // Returns the slice of a list that has the elements of `slice` and `element`. The list lies at the end of a new array
  // of elements, after copies of the first `all` elements. Returns `slice` if its list has the element already.
  template <class Element>
  gantry_slice extend(gantry_column& column, gantry_slice slice, const Element& element, std::size_t all) {
    const auto* known = static_cast<const Element*>(column.elements);
    for (std::uint32_t at = 0; at < slice.count; ++at) {
      if (std::memcmp(&known[slice.begin + at], &element, sizeof element) == 0) return slice;
    }
    Element* elements = arena_.array<Element>(all + slice.count + 1);
    if (all != 0) std::memcpy(elements, known, all * sizeof(Element));
    if (slice.count != 0) std::memcpy(elements + all, known + slice.begin, slice.count * sizeof(Element));
    elements[all + slice.count] = element;
    column.elements = elements;
    return {static_cast<std::uint32_t>(all), slice.count + 1};
  }

  void append_to_set(gantry_column& column, std::uint32_t row, std::uint32_t element) {
    auto* codes = static_cast<std::uint32_t*>(const_cast<void*>(column.values));
    const auto* known = static_cast<const gantry_slice*>(column.dictionary);
    gantry_slice* dictionary = arena_.array<gantry_slice>(column.dictionary_count + 1);
    if (column.dictionary_count != 0) std::memcpy(dictionary, known, column.dictionary_count * sizeof(gantry_slice));
    const gantry_slice before = is_valid(column, row) ? known[codes[row]] : gantry_slice{};
    dictionary[column.dictionary_count] = extend(column, before, element, all_of(column));
    codes[row] = static_cast<std::uint32_t>(column.dictionary_count++);
    column.dictionary = dictionary;
    column.dictionary_version = 0;
  }

  std::set<std::size_t> owned_;  // positions of the columns that this set owns
  std::list<gantry_column> zeros_;
};

}  // namespace gantry::testing
