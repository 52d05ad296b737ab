// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/selection.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
namespace gantry::scheduling {

namespace {

void append_text_or_null(std::string& out, std::string_view text) {
  if (text.empty())
    out += "null";
  else
    json::append_string(out, text);
}

// SchedulerLimits holds whole numbers.
void append_whole(std::string& out, std::optional<double> number) {
  if (!number || std::abs(*number) > 9e15)
    out += "null";
  else
    out += std::to_string(static_cast<std::int64_t>(std::floor(*number)));
}

void append_limits_object(std::string& out, const Limits& limits) {
  out += R"({"nova_object.name":"SchedulerLimits","nova_object.namespace":"nova","nova_object.version":"1.0",)"
         R"("nova_object.data":{"numa_topology":)";
  const auto whole = to_json(limits);
  const auto* numa = json::find(whole, "numa_topology");
  json::append(out, numa != nullptr ? *numa : json::value(nullptr));
  out += R"(,"vcpu":)";
  append_whole(out, limits.vcpu);
  out += R"(,"disk_gb":)";
  append_whole(out, limits.disk_gb);
  out += R"(,"memory_mb":)";
  append_whole(out, limits.memory_mb);
  // Nova ignores members that its object does not have.
  for (const auto& [name, value] : whole) {
    if (name == "numa_topology" || name == "vcpu" || name == "disk_gb" || name == "memory_mb") continue;
    out += ',';
    json::append_string(out, name);
    out += ':';
    json::append(out, value);
  }
  out += R"(},"nova_object.changes":["numa_topology","vcpu","disk_gb","memory_mb"]})";
}

// Appends the text with which the caller can claim the host by itself: Nova's conductor claims alternates.
void append_claim(std::string& out, const Admission* admission, std::string_view row, const GroupProviders& providers) {
  if (admission == nullptr) {
    out += R"(,"allocation_request":null,"allocation_request_version":null)";
    return;
  }
  out += R"(,"allocation_request":)";
  json::append_string(out, admission->claim_text(row, providers));
  out += R"(,"allocation_request_version":)";
  append_text_or_null(out, admission->claim_version());
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

void append_destination(std::string& out, const fleet::Moment& moment, const gantry_view& view, const Choice& choice) {
  const auto name = moment.row_name(view, choice.row);
  out += R"({"host":)";
  json::append_string(out, name.host);
  out += R"(,"nodename":)";
  append_text_or_null(out, name.node);
  out += R"(,"limits":)";
  out += json::write(to_json(choice.limits));
  out += '}';
}

void append_selection_object(std::string& out, const fleet::Moment& moment, const gantry_view& view,
                             const Choice& choice, const RequestSpec& spec, const Admission* admission) {
  const auto name = moment.row_name(view, choice.row);
  out += R"({"nova_object.name":"Selection","nova_object.namespace":"nova","nova_object.version":"1.1",)"
         R"("nova_object.data":{"compute_node_uuid":)";
  append_text_or_null(out, text_at(moment, view, "uuid", choice.row));
  out += R"(,"service_host":)";
  json::append_string(out, name.host);
  out += R"(,"nodename":)";
  json::append_string(out, name.node.empty() ? name.host : name.node);
  // A request may name a cell that the host is not in: a cell that a resize only prefers.
  auto cell = text_at(moment, view, "stats.cell_uuid", choice.row);
  if (cell.empty()) cell = spec.cell_uuid;
  // A member that is not there is one that Nova knows no value of. No value means cell0, where failed instances are.
  if (!cell.empty()) {
    out += R"(,"cell_uuid":)";
    json::append_string(out, cell);
  }
  out += R"(,"limits":)";
  append_limits_object(out, choice.limits);
  append_claim(out, admission, text_at(moment, view, "uuid", choice.row), choice.providers);
  out += R"(,"availability_zone":)";
  append_text_or_null(out, text_at(moment, view, "availability_zone", choice.row));
  out += R"(},"nova_object.changes":["compute_node_uuid","service_host","nodename","limits","allocation_request",)"
         R"("allocation_request_version","availability_zone")";
  out += cell.empty() ? "]}" : R"(,"cell_uuid"]})";
}

}  // namespace gantry::scheduling
