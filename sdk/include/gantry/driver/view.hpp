// SPDX-License-Identifier: Apache-2.0
//
// The hosts of one topic at one moment, and typed access to their columns. driver.h lists the columns of the core. The
// host owns the data, which is valid until the call returns. Read it on the call's thread only.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry {

namespace detail {

// The rows of a column that have a value.
class validity {
 public:
  validity(const gantry_column& column, std::uint32_t rows) noexcept : words_(column.validity), rows_(rows) {}
  bool has(std::uint32_t row) const noexcept { return words_ == nullptr || bits(words_, rows_).test(row); }
  std::uint32_t rows() const noexcept { return rows_; }
  // True if every row has a value.
  bool complete() const noexcept { return words_ == nullptr; }
  // Returns the bitmap of the rows that have a value; nullptr if complete().
  const std::uint64_t* validity_words() const noexcept { return words_; }
  // Returns the bits of the rows index*64 to index*64+63 as one word.
  std::uint64_t valid_word(std::size_t index) const noexcept {
    return words_ == nullptr ? ~std::uint64_t{0} : words_[index];
  }

 private:
  const std::uint64_t* words_;
  std::uint32_t rows_;
};

// The GANTRY_TYPE_* of a column of Value.
template <class Value>
struct column_type;
template <>
struct column_type<std::int64_t> {
  static constexpr std::int32_t value = GANTRY_TYPE_I64;
};
template <>
struct column_type<double> {
  static constexpr std::int32_t value = GANTRY_TYPE_F64;
};
template <>
struct column_type<gantry_json> {
  static constexpr std::int32_t value = GANTRY_TYPE_JSON;
};

}  // namespace detail

// A column of std::int64_t, double or gantry_json. The value of a row is unspecified unless has(row) is true.
template <class Value>
class column : public detail::validity {
 public:
  static constexpr std::int32_t type = detail::column_type<Value>::value;
  column(const gantry_column& raw, std::uint32_t rows) noexcept
      : validity(raw, rows), values_(static_cast<const Value*>(raw.values)) {}

  const Value* data() const noexcept { return values_; }  // rows() values, 64-byte aligned
  const Value& operator[](std::uint32_t row) const noexcept { return values_[row]; }

 private:
  const Value* values_;
};

// A column of booleans. values() is a bitmap. The bit of a row is unspecified unless has(row) is true.
class flag_column : public detail::validity {
 public:
  static constexpr std::int32_t type = GANTRY_TYPE_BOOL;
  flag_column(const gantry_column& raw, std::uint32_t rows) noexcept
      : validity(raw, rows), values_(static_cast<const std::uint64_t*>(raw.values), rows) {}

  const bits& values() const noexcept { return values_; }
  bool operator[](std::uint32_t row) const noexcept { return values_.test(row); }

 private:
  bits values_;
};

// A column of texts. Each row has a code, the index of its text in a dictionary of distinct texts. If there are few
// distinct texts, test each text of the dictionary once instead of the text of each row. A row without a value reads as
// the empty text, and its code has no meaning.
class text_column : public detail::validity {
 public:
  static constexpr std::int32_t type = GANTRY_TYPE_STRING;
  text_column(const gantry_column& raw, std::uint32_t rows) noexcept
      : validity(raw, rows),
        codes_(static_cast<const std::uint32_t*>(raw.values)),
        dictionary_(static_cast<const gantry_string*>(raw.dictionary), raw.dictionary_count) {}

  std::string_view operator[](std::uint32_t row) const noexcept {
    return has(row) ? text(dictionary_[codes_[row]]) : std::string_view();
  }
  const std::uint32_t* codes() const noexcept { return codes_; }
  span<const gantry_string> dictionary() const noexcept { return dictionary_; }

  // Returns the code of a text. nullopt if the dictionary lacks the text.
  std::optional<std::uint32_t> code_of(std::string_view wanted) const noexcept {
    for (std::uint32_t code = 0; code < dictionary_.size(); ++code) {
      if (text(dictionary_[code]) == wanted) return code;
    }
    return std::nullopt;
  }

  // Removes from `set` the rows whose text differs from `wanted`, and the rows without a value.
  void keep_equal(bitmap& set, std::string_view wanted) const {
    const std::optional<std::uint32_t> code = code_of(wanted);
    for (std::size_t index = 0; index < set.word_count(); ++index) {
      if (set.words()[index] == 0) continue;
      set.words()[index] &= code ? word_of_equal(index, *code) & valid_word(index) : 0;
    }
  }

 private:
  // Returns 64 rows as one word: the bits of the rows that have this code are set.
  std::uint64_t word_of_equal(std::size_t index, std::uint32_t code) const noexcept {
    const std::size_t first = index * 64;
    const std::size_t count = rows() - first < 64 ? rows() - first : 64;
    std::uint64_t equal = 0;
    for (std::size_t bit = 0; bit < count; ++bit) equal |= std::uint64_t{codes_[first + bit] == code} << bit;
    return equal;
  }

  const std::uint32_t* codes_;
  span<const gantry_string> dictionary_;
};

// A column of sets of numbers, for example the aggregates of each row as indexes for view::aggregate. Each row has a
// code, the index of its set in a dictionary. A row without a value reads as the empty set, and its code has no
// meaning.
class set_column : public detail::validity {
 public:
  static constexpr std::int32_t type = GANTRY_TYPE_SET;
  set_column(const gantry_column& raw, std::uint32_t rows) noexcept
      : validity(raw, rows),
        codes_(static_cast<const std::uint32_t*>(raw.values)),
        slices_(static_cast<const gantry_slice*>(raw.dictionary), raw.dictionary_count),
        elements_(static_cast<const std::uint32_t*>(raw.elements)) {}

  const std::uint32_t* codes() const noexcept { return codes_; }
  std::size_t code_count() const noexcept { return slices_.size(); }
  // Returns the dictionary: the set of each code, as a slice of elements().
  span<const gantry_slice> slices() const noexcept { return slices_; }
  const std::uint32_t* elements() const noexcept { return elements_; }
  // Returns the set of a code.
  span<const std::uint32_t> meaning(std::uint32_t code) const noexcept {
    return {elements_ + slices_[code].begin, slices_[code].count};
  }
  span<const std::uint32_t> operator[](std::uint32_t row) const noexcept {
    return has(row) ? meaning(codes_[row]) : span<const std::uint32_t>();
  }

 private:
  const std::uint32_t* codes_;
  span<const gantry_slice> slices_;
  const std::uint32_t* elements_;
};

// A column of lists of UUIDs, for example the instances of each row. A row without a value reads as the empty list.
class uuid_column : public detail::validity {
 public:
  static constexpr std::int32_t type = GANTRY_TYPE_UUIDS;
  uuid_column(const gantry_column& raw, std::uint32_t rows) noexcept
      : validity(raw, rows),
        slices_(static_cast<const gantry_slice*>(raw.values)),
        elements_(static_cast<const gantry_uuid*>(raw.elements)) {}

  span<const gantry_uuid> operator[](std::uint32_t row) const noexcept {
    if (!has(row)) return {};
    return {elements_ + slices_[row].begin, slices_[row].count};
  }

 private:
  const gantry_slice* slices_;
  const gantry_uuid* elements_;
};

// A view of a topic: rows of hosts and columns of values.
class view {
 public:
  view(const gantry_host& host, gantry_call* call, const gantry_view& raw_view) noexcept
      : host_(&host), call_(call), view_(&raw_view) {}

  std::uint32_t rows() const noexcept { return view_->rows; }
  std::uint64_t generation() const noexcept { return view_->generation; }
  std::string_view topic() const noexcept { return text(view_->topic); }
  const gantry_view& raw() const noexcept { return *view_; }
  std::size_t aggregate_count() const noexcept { return view_->aggregate_count; }
  // Returns an aggregate. `index` comes from the column "aggregates" and is below aggregate_count().
  const gantry_aggregate& aggregate(std::size_t index) const noexcept {
    return *reinterpret_cast<const gantry_aggregate*>(reinterpret_cast<const char*>(view_->aggregates) +
                                                      index * view_->aggregate_stride);
  }

  // Returns a column by name. Column is column<std::int64_t>, column<double>, column<gantry_json>, flag_column,
  // text_column, set_column or uuid_column. nullopt if the view lacks the column or the column is of another type.
  template <class Column>
  std::optional<Column> find(std::string_view name) const noexcept {
    const gantry_column* found = host_->column(call_, view_, gantry::raw(name));
    if (found == nullptr || found->type != Column::type) return std::nullopt;
    return Column(*found, rows());
  }

  // Each function returns a column of one type. The columns in the manifest's columns.needs always exist. Throws
  // gantry::failure if the view lacks the column or the column is of another type.
  column<std::int64_t> integers(std::string_view name) const { return need<column<std::int64_t>>(name, "i64"); }
  column<double> reals(std::string_view name) const { return need<column<double>>(name, "f64"); }
  flag_column flags(std::string_view name) const { return need<flag_column>(name, "bool"); }
  text_column texts(std::string_view name) const { return need<text_column>(name, "string"); }
  column<gantry_json> documents(std::string_view name) const { return need<column<gantry_json>>(name, "json"); }
  set_column sets(std::string_view name) const { return need<set_column>(name, "set"); }
  uuid_column uuids(std::string_view name) const { return need<uuid_column>(name, "uuids"); }

 private:
  template <class Column>
  Column need(std::string_view name, const char* type) const {
    if (std::optional<Column> found = find<Column>(name)) return *found;
    throw failure(code::internal, "the host gives no column '" + std::string(name) + "' of type " + type +
                                      ": name it in the manifest's columns.needs, or use view::find");
  }

  const gantry_host* host_;
  gantry_call* call_;
  const gantry_view* view_;
};

}  // namespace gantry
