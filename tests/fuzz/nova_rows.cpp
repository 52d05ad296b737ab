// SPDX-License-Identifier: Apache-2.0
//
// Rows of Nova's databases, one a line: the table, and behind tabs its columns: n is NULL, i7 a whole number, d1.5 a
// number, ttext a text with \n, \t and \\, l a text that is too large. Rows become facts or complaints, rows that are read
// again become no difference, and the facts become a fleet that can be shown, written and read. The outcome is nothing,
// facts, complaints (values are left out) or passed_over (hosts are).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <set>
#include <vector>

#include "core/encoding/utf8.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/fleet.hpp"
#include "core/fleet/tables/row_json.hpp"
#include "core/nova/facts/api_reader.hpp"
#include "core/nova/facts/fact_snapshot.hpp"
#include "core/nova/facts/fleet_aggregates.hpp"
#include "core/nova/facts/fleet_hosts.hpp"
#include "core/nova/facts/fleet_instances.hpp"
#include "core/nova/facts/known_instances.hpp"
#include "core/nova/facts/known_nodes.hpp"
#include "core/nova/facts/known_services.hpp"
#include "core/nova/facts/row_reader.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr fleet::Nanoseconds now = 1'790'000'000'000'000'000;
constexpr std::int64_t the_cell = 1;
constexpr std::size_t most_rows = 100;

std::string_view take_until(std::string_view& text, char end) {
  const auto at = std::min(text.find(end), text.size());
  const auto taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char sign = text[++i];
    out += sign == 'n' ? '\n' : sign == 't' ? '\t' : sign;
  }
  return out;
}

template <class Number>
Number number_in(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The rows of an input, which hold their texts.
class Rows {
 public:
  explicit Rows(std::string_view input) {
    while (!input.empty() && rows_.size() < most_rows) {
      auto line = take_until(input, '\n');
      const auto name = take_until(line, '\t');
      std::vector<nova::Value> values;
      while (!line.empty()) values.push_back(value_in(take_until(line, '\t')));
      rows_.emplace_back(name, std::move(values));
    }
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  // Calls `take` with each row of the table.
  template <class Take>
  void each(const nova::Table& table, Take take) const {
    // An id stands for one row, as in the database.
    std::set<std::int64_t> ids;
    for (const auto& [name, values] : rows_) {
      if (name == table.name && ids.insert(nova::RowReader(table, values).id()).second) take(nova::Row(values));
    }
  }

 private:
  nova::Value value_in(std::string_view text) {
    static const std::string too_large(nova::max_text_bytes + 1, 'x');
    if (text.empty()) return {};
    const auto rest = text.substr(1);
    switch (text[0]) {
      case 'i': return number_in<std::int64_t>(rest);
      case 'd': return std::isfinite(number_in<double>(rest)) ? number_in<double>(rest) : 0.0;
      case 't': return std::string_view(texts_.emplace_back(unescaped(rest)));
      case 'l': return std::string_view(too_large);
      default: return {};
    }
  }

  std::deque<std::string> texts_;
  std::vector<std::pair<std::string_view, std::vector<nova::Value>>> rows_;
};

void check(const nova::Complaint& complaint, const nova::Table& table) {
  if (complaint.table != table.name) broken("a complaint of another table");
  if (std::ranges::find(table.columns, complaint.column) == table.columns.end())
    broken("a complaint of a column that the table lacks: " + complaint.column);
  if (complaint.reason.empty()) broken("a complaint without a reason");
  if (!is_utf8(text_of(complaint))) broken("a complaint that is not UTF-8");
}

// A row is a fact, or says why not.
template <class Read>
void check(const Read& read, const nova::Table& table) {
  bool is_passed_over = false;
  for (const auto& complaint : read.complaints) {
    check(complaint, table);
    is_passed_over = is_passed_over || complaint.passes_host_over;
  }
  if (read.fact.has_value() == is_passed_over) broken("a row that is a fact and passed over, or neither");
  if (read.fact && read.host.empty()) broken("a fact without a host");
}

nova::KnownServices::Read read_services(const Rows& rows) {
  nova::KnownServices::Read read{{}, true};
  rows.each(nova::services, [&](nova::Row values) {
    auto row = nova::read_service(values);
    if (!row.is_deleted) check(row, nova::services);
    read.rows.push_back(std::move(row));
  });
  return read;
}

nova::KnownNodes::Read read_nodes(const Rows& rows, const nova::KnownNodes& known) {
  nova::KnownNodes::Read read;
  rows.each(nova::compute_nodes, [&](nova::Row values) {
    check(nova::read_compute_node(values), nova::compute_nodes);
    known.take(values, read);
  });
  return read;
}

nova::KnownInstances::Read read_instances(const Rows& rows) {
  nova::KnownInstances::Read read;
  std::set<std::vector<std::uint8_t>> uuids;  // unique in the database
  rows.each(nova::placed_instances, [&](nova::Row values) {
    auto row = nova::KnownInstances::read_row(values);
    for (const auto& complaint : row.complaints) check(complaint, nova::placed_instances);
    if (!row.complaints.empty() || uuids.emplace(std::begin(row.uuid.bytes), std::end(row.uuid.bytes)).second)
      read.rows.push_back(std::move(row));
  });
  return read;
}

struct Known {
  nova::KnownServices services;
  nova::KnownNodes nodes;
  nova::KnownInstances instances;
  nova::Complaints complaints;

  nova::CellFacts take(const Rows& rows) {
    nova::CellFacts facts;
    services.apply(read_services(rows), complaints, facts);
    nodes.apply(read_nodes(rows, nodes), complaints, facts);
    instances.apply(read_instances(rows), complaints, facts);
    return facts;
  }
};

nova::CellFacts facts_of_cell(const Rows& rows) {
  Known known;
  auto facts = known.take(rows);
  const auto again = known.take(rows);
  if (!again.services.empty() || !again.services_gone.empty() || !again.heartbeats.empty())
    broken("services that differ when they are read again");
  if (!again.compute_nodes.empty() || !again.compute_nodes_gone.empty())
    broken("compute nodes that differ when they are read again");
  if (!again.instances.empty() || !again.instances_gone.empty())
    broken("instances that differ when they are read again");
  if (std::ranges::any_of(again.complaints, &nova::Complaint::is_new)) broken("a complaint that is new twice");
  return facts;
}

nova::ApiFacts facts_of_api(const Rows& rows) {
  nova::ApiRows read;
  for (const auto& table : nova::api_tables) {
    const auto before = read.complaints.size();
    rows.each(table, [&](nova::Row values) { read.take(table, values); });
    if (before > read.complaints.size()) broken("a complaint that is lost");
  }
  nova::ApiFacts facts;
  for (const auto& [row, complaints] : read.complaints) {
    for (const auto& table : nova::api_tables) {
      if (table.name == row.first) check(complaints.front(), table);
    }
    facts.complaints.insert(facts.complaints.end(), complaints.begin(), complaints.end());
  }
  for (const auto& [host, mapping] : read.host_mappings) facts.host_mappings.push_back(mapping);
  for (const auto& [id, aggregate] : read.aggregates) facts.aggregates.push_back(aggregate);
  facts.cells = std::move(read.cells);
  return facts;
}

std::multiset<std::string> rows_of(fleet::Fleet& fleet) {
  std::multiset<std::string> rows;
  const auto moment = fleet.pin(now);
  for (const auto topic : moment.topics()) {
    const auto* view = moment.view(topic);
    for (std::uint32_t row = 0; row < view->rows; ++row) {
      auto text = json::write_canonical(fleet::row_to_json(moment, *view, row));
      if (!is_utf8(text)) broken("a row that is not UTF-8");
      rows.insert(std::move(text));
    }
  }
  return rows;
}

void write_and_read(fleet::Fleet& fleet) {
  const auto text = fleet::write_document(fleet.document(now));
  const auto document = fleet::read_document(text, "written", now);
  if (!document) broken("a fleet whose document is refused: " + document.error().message + "\n" + text);
  if (fleet::write_document(*document) != text) broken("a fleet whose document reads as something else: " + text);
}

void check_names(const nova::FleetHosts& hosts, const nova::CellFacts& facts) {
  const nova::NodeNames names(hosts.nodes(), {}, nova::collation_named("utf8mb3_general_ci"));
  for (const auto& fact : facts.compute_nodes) {
    if (names.find(fact.node.host, std::nullopt, std::nullopt).empty()) broken("a host that is not found by its name");
    if (hosts.nodes_of(fact.node.host).empty()) broken("a host without its node");
  }
}

void put_into_fleet(const nova::CellFacts& cell, const nova::ApiFacts& api) {
  fleet::Fleet fleet{fleet::FleetSettings{}};
  const auto log = telemetry::Logger::none();
  const auto begun = std::chrono::steady_clock::now();
  std::set<std::string> changed;
  nova::FleetHosts hosts(fleet, *log);
  nova::FleetInstances instances(fleet, hosts);
  nova::FleetAggregates aggregates(fleet);
  hosts.add_cell({the_cell, "cell-uuid", "cell1", false, ""});
  hosts.apply(the_cell, cell, changed);
  instances.apply(the_cell, cell, begun, changed);
  aggregates.apply(api, begun);
  if (aggregates.list()->size() != api.aggregates.size()) broken("an aggregate that is lost");
  check_names(hosts, cell);
  write_and_read(fleet);
  const auto rows = rows_of(fleet);
  hosts.add_cell({the_cell + 1, "other-uuid", "cell2", false, ""});
  hosts.apply(the_cell + 1, cell, changed);
  hosts.remove_cell(the_cell + 1);
  if (rows_of(fleet) != rows) broken("a cell that came and went leaves a difference");
  instances.remove_cell(the_cell);
  hosts.remove_cell(the_cell);
  if (!hosts.nodes().empty() || !fleet.instances().empty()) broken("something is left of a cell that is gone");
}

bool has_facts(const nova::CellFacts& cell, const nova::ApiFacts& api) {
  return !cell.services.empty() || !cell.compute_nodes.empty() || !cell.instances.empty() || !api.cells.empty() ||
         !api.host_mappings.empty() || !api.aggregates.empty();
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const Rows rows(text_of(input));
  const auto cell = facts_of_cell(rows);
  const auto api = facts_of_api(rows);
  put_into_fleet(cell, api);
  if (std::ranges::any_of(cell.complaints, &nova::Complaint::passes_host_over)) return "passed_over";
  if (!cell.complaints.empty() || !api.complaints.empty()) return "complaints";
  return has_facts(cell, api) ? "facts" : "nothing";
}

}  // namespace gantry::fuzz
