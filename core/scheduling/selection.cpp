// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/selection.hpp"

#include <cmath>

#include "core/scheduling/nova_object.hpp"

namespace gantry::scheduling {

namespace {

// The uuid of cell0: a fleet that knows no cells is one.
constexpr std::string_view no_cell = "00000000-0000-0000-0000-000000000000";

json::value text_or_null(std::string_view text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

// SchedulerLimits holds whole numbers.
json::value whole(const json::object& limits, std::string_view key) {
  const auto number = json::find_number(limits, key);
  if (!number || std::abs(*number) > 9e15) return nullptr;
  return static_cast<std::int64_t>(std::floor(*number));
}

}  // namespace

std::string_view text_at(const fleet::Moment& moment, const gantry_view& view, std::string_view name,
                         std::uint32_t row) {
  const auto* column = moment.column(view, name);
  if (column == nullptr || column->type != GANTRY_TYPE_STRING) return {};
  if (column->validity != nullptr && ((column->validity[row / 64] >> (row % 64)) & 1U) == 0) return {};
  const auto code = static_cast<const std::uint32_t*>(column->values)[row];
  const auto& text = static_cast<const gantry_string*>(column->dictionary)[code];
  return {text.data, text.size};
}

json::object destination(const fleet::Moment& moment, const gantry_view& view, const Choice& choice) {
  const auto name = moment.row_name(view, choice.row);
  return {{"host", name.host}, {"nodename", text_or_null(name.node)}, {"limits", choice.limits}};
}

json::object selection_object(const fleet::Moment& moment, const gantry_view& view, const Choice& choice,
                              const RequestSpec& spec) {
  const auto name = moment.row_name(view, choice.row);
  const auto* numa = json::find(choice.limits, "numa_topology");
  auto limits = nova_object("SchedulerLimits", "1.0",
                            {{"numa_topology", numa != nullptr ? *numa : json::value(nullptr)},
                             {"vcpu", whole(choice.limits, "vcpu")},
                             {"disk_gb", whole(choice.limits, "disk_gb")},
                             {"memory_mb", whole(choice.limits, "memory_mb")}});
  return nova_object("Selection", "1.1",
                     {{"compute_node_uuid", text_or_null(text_at(moment, view, "uuid", choice.row))},
                      {"service_host", name.host},
                      {"nodename", name.node.empty() ? name.host : name.node},
                      {"cell_uuid", spec.cell_uuid.empty() ? no_cell : std::string_view(spec.cell_uuid)},
                      {"limits", std::move(limits)},
                      {"allocation_request", nullptr},
                      {"allocation_request_version", nullptr},
                      {"availability_zone", text_or_null(text_at(moment, view, "availability_zone", choice.row))}});
}

}  // namespace gantry::scheduling
