// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/row_json.hpp"

#include <cstddef>

#include "core/encoding/uuid.hpp"
#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/cells/interned_text.hpp"

namespace gantry::fleet {

namespace {

template <class T>
const T& at_stride(const void* first, std::uint32_t stride, std::uint32_t index) {
  return *reinterpret_cast<const T*>(static_cast<const std::byte*>(first) + std::size_t{stride} * index);
}

bool bit(const std::uint64_t* words, std::uint32_t row) {
  return (words[row / 64] >> (row % 64) & 1) != 0;
}

json::array aggregate_names(const gantry_view& view, const gantry_column& column, std::uint32_t row) {
  json::array names;
  const auto code = static_cast<const std::uint32_t*>(column.values)[row];
  const auto slice = static_cast<const gantry_slice*>(column.dictionary)[code];
  for (std::uint32_t at = 0; at < slice.count; ++at) {
    const auto index = static_cast<const std::uint32_t*>(column.elements)[slice.begin + at];
    names.emplace_back(view_of(at_stride<gantry_aggregate>(view.aggregates, view.aggregate_stride, index).name));
  }
  return names;
}

json::array uuid_texts(const gantry_column& column, std::uint32_t row) {
  json::array texts;
  const auto slice = static_cast<const gantry_slice*>(column.values)[row];
  for (std::uint32_t at = 0; at < slice.count; ++at) {
    texts.emplace_back(to_text(static_cast<const gantry_uuid*>(column.elements)[slice.begin + at]));
  }
  return texts;
}

json::value cell_to_json(const gantry_view& view, const gantry_column& column, std::uint32_t row) {
  switch (column.type) {
    case GANTRY_TYPE_BOOL: return bit(static_cast<const std::uint64_t*>(column.values), row);
    case GANTRY_TYPE_I64: return static_cast<const std::int64_t*>(column.values)[row];
    case GANTRY_TYPE_F64: return static_cast<const double*>(column.values)[row];
    case GANTRY_TYPE_STRING: {
      const auto code = static_cast<const std::uint32_t*>(column.values)[row];
      return json::value(view_of(static_cast<const gantry_string*>(column.dictionary)[code]));
    }
    case GANTRY_TYPE_SET: return aggregate_names(view, column, row);
    case GANTRY_TYPE_JSON: return parsed_value(view_of(static_cast<const gantry_json*>(column.values)[row].text));
    case GANTRY_TYPE_UUIDS: return uuid_texts(column, row);
    default: return nullptr;
  }
}

}  // namespace

json::value cell_to_json(const Moment& moment, const gantry_view& view, std::string_view name, std::uint32_t row) {
  const auto* column = moment.column(view, name);
  if (column == nullptr || (column->validity != nullptr && !bit(column->validity, row))) return nullptr;
  return cell_to_json(view, *column, row);
}

json::object row_to_json(const Moment&, const gantry_view& view, std::uint32_t row) {
  json::object shown;
  for (std::uint32_t position = 0; position < view.column_count; ++position) {
    const auto& column = at_stride<gantry_column>(view.columns, view.column_stride, position);
    if (column.validity != nullptr && !bit(column.validity, row)) continue;
    shown.emplace(view_of(column.name), cell_to_json(view, column, row));
  }
  return shown;
}

}  // namespace gantry::fleet
