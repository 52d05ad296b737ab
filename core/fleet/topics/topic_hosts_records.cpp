// SPDX-License-Identifier: Apache-2.0
//
// Compute node records and the cells that they feed.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/encoding/uuid.hpp"
#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/tables/report_fields.hpp"
#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

namespace {

bool is_json_cell(std::string_view key, const json::value& value) {
  if (!fits_json_cell(value)) return false;
  return std::any_of(reported_json.begin(), reported_json.end(),
                     [&](const ReportedJson& cell) { return cell.key == key; });
}

// A number beyond the bounds of a report, from an older store or a database, counts as not reported.
const json::value* reported(const json::object& stats, std::string_view key) {
  const auto* value = json::find(stats, key);
  return value != nullptr && expected_of_agent(key, *value).empty() ? value : nullptr;
}

double ratio_of(const json::object& stats, std::string_view key, double fallback) {
  const auto ratio = f64_of(reported(stats, key));
  return ratio && *ratio != 0 ? *ratio : fallback;
}

}  // namespace

void TopicHosts::set_record(RowState& row, const json::object* stats, const json::object* replaced) {
  const json::object none;
  const auto& shown = stats != nullptr ? *stats : none;
  note_size(row, shown);
  const json::object rest = take_json_cells(row, shown, replaced);
  row.rest = rest.empty() ? nullptr : Text::make(json::write_canonical(rest));
  if (stats == nullptr) row.sampled_at = row.updated_at = 0;
  if (replaced == nullptr || replaced->contains("instances")) show_listed(row, shown);
  show_scalars(row, shown);
  show_use(row);
  show_ratios(row, shown);
  show_stats(row, shown);
}

void TopicHosts::note_size(RowState& row, const json::object& stats) {
  const auto bytes = stats.empty() ? 0U : static_cast<std::uint32_t>(json::text_size(stats));
  row.host->report_bytes += bytes;
  row.host->report_bytes -= row.report_bytes;
  row.report_bytes = bytes;
  row.report_keys = static_cast<std::uint32_t>(stats.size());
}

json::object TopicHosts::take_json_cells(RowState& row, const json::object& stats, const json::object* replaced) {
  json::object rest;
  rest.reserve(stats.size());
  for (const auto& [key, value] : stats) {
    if (!is_json_cell(key, value)) rest.emplace(key, value);
  }
  for (const auto& cell : reported_json) {
    const auto position = position_of(cell.column);
    const auto* value = json::find(stats, cell.key);
    const bool fits = value != nullptr && fits_json_cell(*value);
    if (replaced != nullptr && !replaced->contains(cell.key)) continue;
    if (!fits) {
      table_.set_json(row, position, nullptr);
      continue;
    }
    const auto text = json::write_canonical(*value);
    if (const auto& had = table_.json_text(row, position); had && had->view() == text) continue;
    table_.set_json(row, position, cell.shared ? surroundings_.texts->intern(text) : Text::make(text));
  }
  return rest;
}

void TopicHosts::show_listed(RowState& row, const json::object& stats) {
  std::vector<gantry_uuid> listed;
  if (const auto* ids = json::find_array(stats, "instances")) {
    for (const auto& id : *ids) {
      const auto uuid = id.is_string() ? parse_uuid(std::string_view(id.get_string())) : std::nullopt;
      if (uuid) listed.push_back(*uuid);
    }
  }
  std::sort(listed.begin(), listed.end(), UuidLess());
  listed.erase(std::unique(listed.begin(), listed.end(), UuidEqual()), listed.end());
  std::vector<gantry_uuid> changed;
  std::set_symmetric_difference(row.listed.begin(), row.listed.end(), listed.begin(), listed.end(),
                                std::back_inserter(changed), UuidLess());
  row.listed.swap(listed);
  for (const auto& uuid : changed) {
    if (std::binary_search(row.listed.begin(), row.listed.end(), uuid, UuidLess())) {
      listed_.add(uuid, row);
    } else {
      listed_.remove(uuid, row);
    }
    update_instance(row, uuid);
  }
}

void TopicHosts::show_scalars(RowState& row, const json::object& stats) {
  for (const auto& fed : reported_integers) {
    table_.set_i64(row, position_of(fed.column), floor_of(reported(stats, fed.key)));
  }
  for (const auto& fed : reported_texts) {
    table_.set_text(row, position_of(fed.column), text_of(json::find(stats, fed.key)));
  }
  for (std::size_t use = 0; use < reported_uses.size(); ++use) {
    row.use[use] = f64_of(reported(stats, reported_uses[use])).value_or(not_reported);
  }
  show_updated_at(row);
}

void TopicHosts::show_updated_at(const RowState& row) {
  std::optional<std::int64_t> updated_at;
  if (row.updated_at != 0) updated_at = row.updated_at;
  table_.set_i64(row, position_of(CoreColumn::updated_at), updated_at);
}

void TopicHosts::set_report_times(RowState& row, Nanoseconds sampled_at, Nanoseconds updated_at) {
  row.sampled_at = sampled_at;
  row.updated_at = updated_at;
  show_updated_at(row);
}

void TopicHosts::show_ratios(const RowState& row, const json::object& stats) {
  const auto& settings = *surroundings_.settings;
  table_.set_f64(row, position_of(CoreColumn::cpu_allocation_ratio),
                 ratio_of(stats, "cpu_allocation_ratio", settings.cpu_allocation_ratio));
  table_.set_f64(row, position_of(CoreColumn::ram_allocation_ratio),
                 ratio_of(stats, "ram_allocation_ratio", settings.ram_allocation_ratio));
  table_.set_f64(row, position_of(CoreColumn::disk_allocation_ratio),
                 ratio_of(stats, "disk_allocation_ratio", settings.disk_allocation_ratio));
}

void TopicHosts::show_stats(const RowState& row, const json::object& stats) {
  if (stats_columns_.empty()) return;
  const auto* nested = json::find_object(stats, "stats");
  for (const auto& column : stats_columns_) {
    const json::value* value = column.top_level ? json::find(stats, column.key) : nullptr;
    if (value == nullptr && nested != nullptr) value = json::find(*nested, column.key);
    show_stats_column(row, column, value);
  }
}

void TopicHosts::show_stats_column(const RowState& row, const StatsColumn& column, const json::value* value) {
  switch (column.type) {
    case GANTRY_TYPE_BOOL: table_.set_bool(row, column.position, bool_of(value)); break;
    case GANTRY_TYPE_I64: table_.set_i64(row, column.position, i64_of(value)); break;
    case GANTRY_TYPE_F64: table_.set_f64(row, column.position, f64_of(value)); break;
    default: table_.set_text(row, column.position, text_of(value)); break;
  }
}

void TopicHosts::add_stats_column(const ColumnDeclaration& declaration) {
  std::string key = declaration.name.substr(stats_prefix.size());
  const auto position = table_.add_column({declaration.name, declaration.type, true});
  const bool top_level = !is_core_column_name(key);
  stats_columns_.push_back({std::move(key), position, declaration.type, top_level});
  for (auto* row : table_.rows()) {
    if (row->reported) show_stats(*row, record(*row).stats);
  }
}

PackedRecord TopicHosts::packed_record(const RowState& row) const {
  PackedRecord packed{row.rest, {}, row.sampled_at, row.updated_at};
  for (std::size_t cell = 0; cell < reported_json.size(); ++cell)
    packed.cells[cell] = table_.json_text(row, position_of(reported_json[cell].column));
  return packed;
}

json::object PackedRecord::stats() const {
  auto stats = parsed_object(view_of(rest));
  for (std::size_t cell = 0; cell < reported_json.size(); ++cell) {
    if (cells[cell]) stats.insert_or_assign(reported_json[cell].key, parsed_value(cells[cell]->view()));
  }
  return stats;
}

ComputeNode TopicHosts::record(const RowState& row) const {
  const auto packed = packed_record(row);
  return {topic_, row.host->host, row.node, packed.stats(), row.sampled_at, row.updated_at};
}

}  // namespace gantry::fleet
