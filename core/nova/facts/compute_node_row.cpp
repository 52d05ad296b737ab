// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/compute_node_row.hpp"

#include <algorithm>
#include <array>

#include "core/fleet/tables/report_fields.hpp"
#include "core/nova/facts/row_reader.hpp"

namespace gantry::nova {

namespace {

struct JsonColumn {
  std::string_view name;
  bool may_be_object;
  bool may_be_list;
  // Nova goes on without a value that cannot be read as JSON.
  bool can_be_left_out;
};

constexpr std::array<JsonColumn, 6> json_columns{{{"cpu_info", true, false, true},
                                                  {"supported_instances", false, true, false},
                                                  {"metrics", false, true, false},
                                                  {"pci_stats", true, true, true},
                                                  {"stats", true, false, false},
                                                  {"numa_topology", true, false, false}}};

// Members of the fact of their own, or of no use to a driver.
constexpr std::array<std::string_view, 6> not_reported{"id",         "created_at", "updated_at",
                                                       "deleted_at", "deleted",    "host"};

// The value of a column as JSON. NULL is left out.
std::optional<json::value> reported(RowReader& row, std::string_view column) {
  const auto& value = row.value(column);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return json::value(*number);
  if (const auto* number = std::get_if<double>(&value)) return json::value(*number);
  if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
  return json::value(row.text(column));
}

// Returns what is wrong with the text of a column. Empty: it is in `out`, or is empty or null and left out.
std::string read_json(const JsonColumn& column, const std::string& text, json::object& out) {
  if (text.empty()) return {};
  auto value = json::parse(text);
  if (!value) return "expected JSON: " + value.error().message;
  if (value->is_null()) return {};
  if ((value->is_object() && column.may_be_object) || (value->is_array() && column.may_be_list)) {
    out.emplace(column.name, *std::move(value));
    return {};
  }
  const std::string expected = !column.may_be_list    ? "an object"
                               : column.may_be_object ? "an object or a list"
                                                      : "a list";
  return "expected " + expected + ", found " + std::string(json::type_name(*value));
}

class NodeReader {
 public:
  NodeReader(Row values, ComputeNodeRow& out) : values_(values), row_(compute_nodes, values), out_(out) {}

  void read() {
    out_.id = row_.id();
    out_.host = row_.name("host");
    out_.node = row_.name("hypervisor_hostname");
    if (out_.host.empty()) row_.set_fault("host", "expected the name of a host, found none");
    if (row_.is_null("free_disk_gb")) row_.set_fault("free_disk_gb", "is NULL: the host has not reported its use yet");
    ComputeNodeFact fact;
    fact.id = out_.id;
    fact.node.topic = "compute";
    fact.node.host = out_.host;
    fact.node.node = out_.node;
    // A row that is as it was made has not been updated.
    fact.node.updated_at = row_.time(row_.is_null("updated_at") ? "created_at" : "updated_at");
    fact.node.sampled_at = fact.node.updated_at;
    read_values(fact.node.stats);
    for (const auto& column : json_columns) read_nested(column, fact.node.stats);
    if (row_.fault())
      complain(*row_.fault(), true);
    else
      out_.fact = std::move(fact);
  }

 private:
  void read_values(json::object& stats) {
    for (const auto column : compute_nodes.columns) {
      const auto is_named = [column](const JsonColumn& json) { return json.name == column; };
      if (std::find(not_reported.begin(), not_reported.end(), column) != not_reported.end() ||
          std::any_of(json_columns.begin(), json_columns.end(), is_named))
        continue;
      auto value = reported(row_, column);
      if (!value) continue;
      if (const auto expected = fleet::expected_of_agent(column, *value); !expected.empty())
        row_.set_fault(column, "expected " + std::string(expected) + ", found " + json::write(*value));
      stats.emplace(column, *std::move(value));
    }
  }

  void read_nested(const JsonColumn& column, json::object& stats) {
    RowReader alone(compute_nodes, values_);
    const auto text = alone.text(column.name);
    auto reason = alone.fault() ? alone.fault()->reason : read_json(column, text, stats);
    if (reason.empty()) return;
    if (column.can_be_left_out)
      complain({std::string(column.name), std::move(reason)}, false);
    else
      row_.set_fault(column.name, std::move(reason));
  }

  void complain(const Fault& fault, bool passes_host_over) {
    out_.complaints.push_back({.table = std::string(compute_nodes.name),
                               .id = out_.id,
                               .column = fault.column,
                               .reason = fault.reason,
                               .host = out_.host,
                               .node = out_.node,
                               .passes_host_over = passes_host_over});
  }

  Row values_;
  RowReader row_;
  ComputeNodeRow& out_;
};

}  // namespace

ComputeNodeRow read_compute_node(Row row) {
  ComputeNodeRow read;
  NodeReader(row, read).read();
  return read;
}

}  // namespace gantry::nova
