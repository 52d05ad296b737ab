// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/api_reader.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/nova/facts/row_reader.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view cell0 = "00000000-0000-0000-0000-000000000000";

void take_cell(std::int64_t id, RowReader& row, ApiRows& out) {
  Cell cell{id, row.text("uuid"), row.text("name"), row.truth("disabled"), row.text("database_connection")};
  if (!row.fault() && cell.uuid != cell0) out.cells.push_back(std::move(cell));
}

void take_host_mapping(std::int64_t id, RowReader& row, ApiRows& out) {
  HostMapping mapping{id, row.name("host"), row.integer("cell_id")};
  if (!row.fault()) out.host_mappings.insert_or_assign(mapping.host, mapping);
}

void take_aggregate(std::int64_t id, RowReader& row, ApiRows& out) {
  fleet::Aggregate aggregate{id, row.name("uuid"), row.name("name"), {}, {}};
  if (!row.fault()) out.aggregates.emplace(id, std::move(aggregate));
}

// Returns nullptr if the row has a fault, or names an aggregate that is not there.
fleet::Aggregate* aggregate_of(RowReader& row, ApiRows& out) {
  const auto found = out.aggregates.find(row.integer("aggregate_id"));
  return row.fault() || found == out.aggregates.end() ? nullptr : &found->second;
}

void take_aggregate_host(std::int64_t /*id*/, RowReader& row, ApiRows& out) {
  auto host = row.name("host");
  auto* aggregate = aggregate_of(row, out);
  if (aggregate != nullptr && !host.empty()) aggregate->hosts.push_back(std::move(host));
}

void take_aggregate_metadata(std::int64_t /*id*/, RowReader& row, ApiRows& out) {
  auto key = row.name("key");
  auto value = row.text("value");
  if (auto* aggregate = aggregate_of(row, out)) aggregate->metadata[std::move(key)] = std::move(value);
}

struct Taker {
  std::string_view table;
  void (*take)(std::int64_t id, RowReader& row, ApiRows& out);
};

constexpr std::array<Taker, 5> takers{{{cell_mappings.name, take_cell},
                                       {host_mappings.name, take_host_mapping},
                                       {aggregates.name, take_aggregate},
                                       {aggregate_hosts.name, take_aggregate_host},
                                       {aggregate_metadata.name, take_aggregate_metadata}}};

// Count, largest id and a sum over the content of the rows. Times would not do: they have whole seconds, and a row of
// these tables that is removed leaves no trace.
std::string sum_of_content(const Table& table) {
  std::string content;
  for (const auto column : table.columns)
    content += std::string(content.empty() ? "" : ", ") + "QUOTE(`" + std::string(column) + "`)";
  return "(SELECT CONCAT_WS(':', COUNT(*), MAX(id), SUM(CRC32(CONCAT_WS(',', " + content + ")))) FROM `" +
         std::string(table.name) + "`)";
}

// Count, largest id and sum of the ids, for a table with as many rows as hosts. Nova makes and removes its rows, and
// never changes one.
std::string sum_of_ids(const Table& table) {
  return "(SELECT CONCAT_WS(':', COUNT(*), MAX(id), SUM(id)) FROM `" + std::string(table.name) + "`)";
}

Result<void> read_sum(Connection& connection, std::string& sum) {
  static const std::string sql = "SELECT " + sum_of_content(aggregates) + ", " + sum_of_ids(aggregate_hosts) + ", " +
                                 sum_of_content(aggregate_metadata);
  return connection.query(sql, [&sum](Row row) {
    for (const auto& value : row) {
      const auto* text = std::get_if<std::string_view>(&value);
      sum += (text == nullptr ? std::string() : std::string(*text)) + " ";
    }
  });
}

bool is_same(const fleet::Aggregate& a, const fleet::Aggregate& b) {
  return a.uuid == b.uuid && a.name == b.name && a.metadata == b.metadata && a.hosts == b.hosts;
}

bool is_same(const HostMapping& a, const HostMapping& b) {
  return a.host == b.host && a.cell_id == b.cell_id;
}

bool is_same(const Cell& a, const Cell& b) {
  return a.id == b.id && a.uuid == b.uuid && a.name == b.name && a.is_disabled == b.is_disabled &&
         a.connection == b.connection;
}

// Compares two maps, and appends what `now` has new or otherwise, and the keys that it lacks.
template <class Map, class Facts, class Keys>
void compare(const Map& before, const Map& now, Facts& changed, Keys& gone) {
  for (const auto& [key, fact] : now) {
    const auto known = before.find(key);
    if (known == before.end() || !is_same(known->second, fact)) changed.push_back(fact);
  }
  for (const auto& [key, fact] : before) {
    if (!now.contains(key)) gone.push_back(key);
  }
}

// Reads the rows of a table in the order of their ids.
Result<void> read_table(Connection& connection, const Table& table, ApiRows& rows) {
  return connection.query(select_from(table) + " ORDER BY id", [&](Row row) { rows.take(table, row); });
}

bool is_of_aggregates(const Table& table) {
  return table.name.starts_with("aggregate");
}

}  // namespace

void ApiRows::take(const Table& table, Row values) {
  RowReader row(table, values);
  const auto id = row.id();
  for (const auto& taker : takers) {
    if (taker.table == table.name) taker.take(id, row, *this);
  }
  if (const auto& fault = row.fault())
    complaints[{std::string(table.name), id}].push_back({.table = std::string(table.name),
                                                         .id = id,
                                                         .column = fault->column,
                                                         .reason = fault->reason,
                                                         .host = {},
                                                         .node = {}});
}

Result<void> ApiReader::read(Connection& connection, bool is_whole, Known& read) const {
  auto done = read_sum(connection, read.aggregates_sum);
  const bool has_aggregates = is_whole || read.aggregates_sum != known_.aggregates_sum;
  for (const auto& table : api_tables) {
    if (done && (is_of_aggregates(table) ? has_aggregates : is_whole)) done = read_table(connection, table, read.rows);
  }
  return done;
}

ApiFacts ApiReader::apply(Known read, bool is_whole) {
  ApiFacts facts;
  const bool has_aggregates = is_whole || read.aggregates_sum != known_.aggregates_sum;
  std::set<std::string> tables;
  for (const auto& table : api_tables) {
    if (has_aggregates && (is_whole || is_of_aggregates(table))) tables.emplace(table.name);
  }
  auto& now = read.rows;
  auto& known = known_.rows;
  complaints_.take(tables, std::move(now.complaints), facts.complaints);
  if (has_aggregates) {
    compare(known.aggregates, now.aggregates, facts.aggregates, facts.aggregates_gone);
    known.aggregates = std::move(now.aggregates);
    known_.aggregates_sum = std::move(read.aggregates_sum);
  }
  if (!is_whole) return facts;
  compare(known.host_mappings, now.host_mappings, facts.host_mappings, facts.host_mappings_gone);
  known.host_mappings = std::move(now.host_mappings);
  const auto are_same = [](const Cell& a, const Cell& b) { return is_same(a, b); };
  facts.has_cells =
      !is_loaded_ || !std::equal(now.cells.begin(), now.cells.end(), known.cells.begin(), known.cells.end(), are_same);
  if (facts.has_cells) facts.cells = now.cells;
  known.cells = std::move(now.cells);
  is_loaded_ = true;
  return facts;
}

Result<ApiFacts> ApiReader::load(Connection& connection) {
  Known now;
  auto done = connection.in_snapshot([&] { return read(connection, true, now); });
  if (!done) return std::move(done).error();
  known_ = {};
  is_loaded_ = false;
  return apply(std::move(now), true);
}

Result<ApiFacts> ApiReader::refresh(Connection& connection, Depth depth) {
  if (!is_loaded_)
    return Error{ErrorCode::failed_precondition, "database " + connection.place() + ": nothing is loaded yet", {}};
  Known now;
  const bool is_whole = depth == Depth::whole;
  auto done = connection.in_snapshot([&] { return read(connection, is_whole, now); });
  if (!done) return std::move(done).error();
  return apply(std::move(now), is_whole);
}

Result<DatabaseUrl> url_of(const Cell& cell, std::string_view database_connection) {
  const auto what = "cell '" + cell.name + "' (" + cell.uuid + ")";
  auto filled = filled_url(cell.connection, database_connection);
  if (!filled) return std::move(filled).error().within(what);
  auto url = parse_database_url(*filled);
  if (!url) return std::move(url).error().within(what);
  return url;
}

}  // namespace gantry::nova
