// SPDX-License-Identifier: Apache-2.0
//
// Compute node records and the cells that they feed.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/encoding/uuid.hpp"
#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/documents/report_check.hpp"
#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

namespace {

struct Fed {
  CoreColumn column;
  std::string_view key;
};

constexpr std::array<Fed, 7> integers{{
    {CoreColumn::vcpus, "vcpus"},
    {CoreColumn::memory_mb, "memory_mb"},
    {CoreColumn::local_gb, "local_gb"},
    {CoreColumn::disk_available_least, "disk_available_least"},
    {CoreColumn::running_vms, "running_vms"},
    {CoreColumn::current_workload, "current_workload"},
    {CoreColumn::hypervisor_version, "hypervisor_version"},
}};

constexpr std::array<Fed, 3> texts{{
    {CoreColumn::uuid, "uuid"},
    {CoreColumn::hypervisor_type, "hypervisor_type"},
    {CoreColumn::host_ip, "host_ip"},
}};

// In the order of RowState::use.
constexpr std::array<std::string_view, 5> uses{"vcpus_used", "memory_mb_used", "local_gb_used", "free_ram_mb",
                                               "free_disk_gb"};

constexpr std::array<std::string_view, 3> ratios{"cpu_allocation_ratio", "ram_allocation_ratio",
                                                 "disk_allocation_ratio"};

struct JsonCell {
  CoreColumn column;
  std::string_view key;
  bool shared;  // many hosts say the same
};

constexpr std::array<JsonCell, 6> json_cells{{
    {CoreColumn::cpu_info, "cpu_info", true},
    {CoreColumn::supported_instances, "supported_instances", true},
    {CoreColumn::pci_stats, "pci_stats", true},
    {CoreColumn::numa_topology, "numa_topology", true},
    {CoreColumn::metrics, "metrics", false},
    {CoreColumn::stats, "stats", false},
}};

bool fits_json_cell(const json::value& value) {
  return value.is_object() || value.is_array();
}

bool is_json_cell(std::string_view key, const json::value& value) {
  if (!fits_json_cell(value)) return false;
  return std::any_of(json_cells.begin(), json_cells.end(), [&](const JsonCell& cell) { return cell.key == key; });
}

bool is_list_of_texts(const json::value& value) {
  const auto* list = value.if_array();
  return list != nullptr &&
         std::all_of(list->begin(), list->end(), [](const json::value& id) { return id.is_string(); });
}

// As Nova's table keeps nested values.
bool is_folded(std::string_view text) {
  const auto parsed = json::parse(text);
  return parsed && (fits_json_cell(*parsed) || parsed->is_null());
}

double ratio_of(const json::object& stats, std::string_view key, double fallback) {
  const auto ratio = f64_of(json::find(stats, key));
  return ratio && *ratio != 0 ? *ratio : fallback;
}

}  // namespace

std::string_view expected_of_report(std::string_view key, const json::value& value) {
  const auto is_key = [key](const auto& fed) { return fed.key == key; };
  const auto is_name = [key](std::string_view name) { return name == key; };
  if (std::any_of(integers.begin(), integers.end(), is_key)) return floor_of(&value) ? "" : "a number";
  if (std::any_of(uses.begin(), uses.end(), is_name) || std::any_of(ratios.begin(), ratios.end(), is_name))
    return f64_of(&value) ? "" : "a number";
  if (std::any_of(texts.begin(), texts.end(), is_key)) return value.is_string() ? "" : "text";
  if (key == "instances") return is_list_of_texts(value) ? "" : "a list of texts";
  if (std::none_of(json_cells.begin(), json_cells.end(), is_key)) return "";
  if (fits_json_cell(value) || (value.is_string() && value.get_string().empty())) return "";
  return value.is_string() && is_folded(value.get_string()) ? "" : "an object or a list, or text that holds one";
}

void TopicHosts::set_record(RowState& row, const json::object* stats, const json::object* replaced) {
  const json::object none;
  const auto& shown = stats != nullptr ? *stats : none;
  const json::object rest = take_json_cells(row, shown, replaced);
  row.rest = rest.empty() ? nullptr : Text::make(json::write_canonical(rest));
  if (stats == nullptr) row.sampled_at = row.updated_at = 0;
  if (replaced == nullptr || replaced->contains("instances")) show_listed(row, shown);
  show_scalars(row, shown);
  show_use(row);
  show_ratios(row, shown);
  show_stats(row, shown);
}

json::object TopicHosts::take_json_cells(RowState& row, const json::object& stats, const json::object* replaced) {
  json::object rest;
  rest.reserve(stats.size());
  for (const auto& [key, value] : stats) {
    if (!is_json_cell(key, value)) rest.emplace(key, value);
  }
  for (const auto& cell : json_cells) {
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
  for (const auto& fed : integers) {
    table_.set_i64(row, position_of(fed.column), floor_of(json::find(stats, fed.key)));
  }
  for (const auto& fed : texts) {
    table_.set_text(row, position_of(fed.column), text_of(json::find(stats, fed.key)));
  }
  for (std::size_t use = 0; use < uses.size(); ++use) {
    row.use[use] = f64_of(json::find(stats, uses[use])).value_or(not_reported);
  }
  std::optional<std::int64_t> updated_at;
  if (row.updated_at != 0) updated_at = row.updated_at;
  table_.set_i64(row, position_of(CoreColumn::updated_at), updated_at);
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
  for (std::size_t cell = 0; cell < json_cells.size(); ++cell)
    packed.cells[cell] = table_.json_text(row, position_of(json_cells[cell].column));
  return packed;
}

json::object PackedRecord::stats() const {
  auto stats = parsed_object(view_of(rest));
  for (std::size_t cell = 0; cell < json_cells.size(); ++cell) {
    if (cells[cell]) stats.insert_or_assign(json_cells[cell].key, parsed_value(cells[cell]->view()));
  }
  return stats;
}

ComputeNode TopicHosts::record(const RowState& row) const {
  const auto packed = packed_record(row);
  return {topic_, row.host->host, row.node, packed.stats(), row.sampled_at, row.updated_at};
}

}  // namespace gantry::fleet
