// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/column_storage.hpp"

#include <cassert>

namespace gantry::fleet {

namespace {

constexpr std::size_t words_of(std::uint32_t rows) {
  return (static_cast<std::size_t>(rows) + 63) / 64;
}

std::size_t size_of_value(std::int32_t type) {
  switch (type) {
    case GANTRY_TYPE_STRING:
    case GANTRY_TYPE_SET: return sizeof(std::uint32_t);
    case GANTRY_TYPE_JSON: return sizeof(gantry_json);
    default: return sizeof(std::uint64_t);
  }
}

bool read_bit(const std::uint64_t* words, std::uint32_t row) {
  return (words[row / 64] >> (row % 64) & 1) != 0;
}

void write_bit(std::uint64_t* words, std::uint32_t row, bool value) {
  const std::uint64_t mask = std::uint64_t{1} << (row % 64);
  words[row / 64] = value ? words[row / 64] | mask : words[row / 64] & ~mask;
}

void clear_bits_from(std::uint64_t* words, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t row = first; row < end; ++row) write_bit(words, row, false);
}

}  // namespace

ColumnStorage::ColumnStorage(std::int32_t type, bool nullable) : type_(type), nullable_(nullable) {}

std::size_t ColumnStorage::bytes_of(std::uint32_t rows) const {
  if (type_ == GANTRY_TYPE_BOOL) return words_of(rows) * sizeof(std::uint64_t);
  return words_of(rows) * 64 * size_of_value(type_);
}

void ColumnStorage::resize(std::uint32_t rows) {
  values_.reserve(bytes_of(rows));
  if (rows < rows_) {
    if (type_ == GANTRY_TYPE_BOOL) {
      clear_bits_from(values_.as<std::uint64_t>(), rows, rows_);
    } else {
      const std::size_t size = size_of_value(type_);
      std::memset(values_.as<std::byte>() + rows * size, 0, (rows_ - rows) * size);
    }
  }
  if (nullable_) resize_validity(rows);
  if (type_ == GANTRY_TYPE_JSON) texts_.resize(rows);
  rows_ = rows;
}

void ColumnStorage::resize_validity(std::uint32_t rows) {
  validity_.reserve(words_of(rows) * sizeof(std::uint64_t));
  for (std::uint32_t row = rows; row < rows_; ++row) {
    set_valid(row, false);
    --nulls_;
  }
  if (rows > rows_) nulls_ += rows - rows_;
}

void ColumnStorage::copy_cell(const ColumnStorage& from, std::uint32_t from_row, std::uint32_t to_row) {
  assert(from_row < from.rows_ && to_row < rows_ && type_ == from.type_);
  if (type_ == GANTRY_TYPE_BOOL) {
    write_bit(values_.as<std::uint64_t>(), to_row, from.bit(from_row));
  } else {
    const std::size_t size = size_of_value(type_);
    std::memmove(values_.as<std::byte>() + to_row * size, from.values_.as<std::byte>() + from_row * size, size);
  }
  set_valid(to_row, from.valid(from_row));
  if (type_ == GANTRY_TYPE_JSON) texts_[to_row] = from.texts_[from_row];
}

void ColumnStorage::copy_all(const ColumnStorage& from) {
  values_.assign(from.values_, bytes_of(from.rows_));
  if (nullable_) validity_.assign(from.validity_, words_of(from.rows_) * sizeof(std::uint64_t));
  texts_ = from.texts_;
  const std::uint32_t had = rows_;
  rows_ = std::max(had, from.rows_);
  resize(from.rows_);  // clears what lay behind
  nulls_ = from.nulls_;
}

bool ColumnStorage::valid(std::uint32_t row) const {
  return !nullable_ || read_bit(validity_.as<std::uint64_t>(), row);
}

bool ColumnStorage::bit(std::uint32_t row) const {
  return read_bit(values_.as<std::uint64_t>(), row);
}

std::optional<double> ColumnStorage::number(std::uint32_t row) const {
  if (!valid(row)) return std::nullopt;
  return at<double>(row);
}

bool ColumnStorage::set_valid(std::uint32_t row, bool valid) {
  if (!nullable_) return false;
  auto* words = validity_.as<std::uint64_t>();
  if (read_bit(words, row) == valid) return false;
  write_bit(words, row, valid);
  valid ? --nulls_ : ++nulls_;
  return true;
}

template <class T>
bool ColumnStorage::set_value(std::uint32_t row, const std::optional<T>& value) {
  T& cell = values_.as<T>()[row];
  const T wanted = value.value_or(T{});
  const bool differs = cell != wanted;
  cell = wanted;
  return set_valid(row, value.has_value()) || differs;
}

bool ColumnStorage::set_bool(std::uint32_t row, std::optional<bool> value) {
  const bool differs = bit(row) != value.value_or(false);
  write_bit(values_.as<std::uint64_t>(), row, value.value_or(false));
  return set_valid(row, value.has_value()) || differs;
}

bool ColumnStorage::set_i64(std::uint32_t row, std::optional<std::int64_t> value) {
  return set_value(row, value);
}

bool ColumnStorage::set_f64(std::uint32_t row, std::optional<double> value) {
  return set_value(row, value);
}

bool ColumnStorage::set_code(std::uint32_t row, std::optional<std::uint32_t> code) {
  return set_value(row, code);
}

bool ColumnStorage::set_json(std::uint32_t row, TextPointer text) {
  const bool differs = texts_[row] != text;
  gantry_json cell{};
  if (text) cell = {{text->view().data(), text->view().size()}, text->version()};
  values_.as<gantry_json>()[row] = cell;
  const bool has_value = text != nullptr;
  texts_[row] = std::move(text);
  return set_valid(row, has_value) || differs;
}

void ColumnStorage::set_slice(std::uint32_t row, gantry_slice slice) {
  values_.as<gantry_slice>()[row] = slice;
}

void ColumnStorage::recode(const std::vector<std::uint32_t>& codes) {
  auto* cells = values_.as<std::uint32_t>();
  for (std::uint32_t row = 0; row < rows_; ++row) cells[row] = codes[cells[row]];
}

}  // namespace gantry::fleet
