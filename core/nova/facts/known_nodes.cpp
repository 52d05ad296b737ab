// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/known_nodes.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_set>

#include "core/nova/facts/row_reader.hpp"
#include "core/nova/facts/rows_by_id.hpp"
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

namespace {

const std::string& select_nodes() {
  static const std::string sql = select_from(compute_nodes) + " WHERE ";
  return sql;
}

std::uint64_t fingerprint_of(Row row) {
  std::uint64_t print = 0;
  for (const auto& value : row) {
    print ^= std::hash<Value>()(value) + 0x9e3779b97f4a7c15U + (print << 6U) + (print >> 2U);
  }
  return print;
}

std::string time_text_of(const Value& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  return text == nullptr ? std::string() : std::string(*text);
}

}  // namespace

void KnownNodes::take(Row values, Read& read) const {
  RowReader row(compute_nodes, values);
  const auto id = row.id();
  if (row.is_deleted()) {
    if (known_.contains(id)) read.gone.push_back(id);
    return;
  }
  const auto fingerprint = fingerprint_of(values);
  const auto known = known_.find(id);
  if (known != known_.end() && known->second.fingerprint == fingerprint) return;
  read.rows.push_back({fingerprint, time_text_of(row.value("updated_at")), read_compute_node(values)});
}

Result<KnownNodes::Read> KnownNodes::read_all(Connection& connection) const {
  Read read;
  auto done = connection.query(select_nodes() + "deleted = 0", [&](Row row) { take(row, read); });
  if (!done) return std::move(done).error();
  return read;
}

// Soft deletion sets deleted_at and leaves updated_at alone.
Result<KnownNodes::Read> KnownNodes::read_changes(Connection& connection, const std::string& since) const {
  const auto later = " >= " + since;
  auto ids = read_ids(connection, "SELECT id FROM compute_nodes WHERE updated_at" + later + " OR created_at" + later +
                                      " OR deleted_at" + later);
  if (!ids) return std::move(ids).error();
  Read read;
  auto done = query_by_id(connection, select_nodes(), *ids, [&](Row row) { take(row, read); });
  if (!done) return std::move(done).error();
  return read;
}

Result<void> KnownNodes::compare(Connection& connection, Read& read) const {
  std::unordered_set<std::int64_t> already(read.gone.begin(), read.gone.end());
  for (const auto& row : read.rows) already.insert(row.row.id);
  std::unordered_set<std::int64_t> present;
  std::vector<std::int64_t> wanted;
  auto done = connection.query("SELECT id, updated_at FROM compute_nodes WHERE deleted = 0", [&](Row row) {
    const auto* id = std::get_if<std::int64_t>(&row[0]);
    if (id == nullptr) return;
    present.insert(*id);
    const auto known = known_.find(*id);
    const bool is_same = known != known_.end() && known->second.updated_at == time_text_of(row[1]);
    if (!is_same && !already.contains(*id)) wanted.push_back(*id);
  });
  if (!done) return done;
  for (const auto& [id, known] : known_) {
    if (!present.contains(id) && !already.contains(id)) read.gone.push_back(id);
  }
  return query_by_id(connection, select_nodes(), wanted, [&](Row row) { take(row, read); });
}

void KnownNodes::apply(ReadRow read, Complaints& complaints, CellFacts& out) {
  auto& row = read.row;
  auto& known = known_[row.id];
  const bool is_renamed = known.name.host != row.host || known.name.node != row.node;
  if (known.is_fact && (is_renamed || !row.fact)) out.compute_nodes_gone.push_back(known.name);
  known = {read.fingerprint, std::move(read.updated_at), {row.host, row.node}, row.fact.has_value()};
  complaints.take(std::string(compute_nodes.name), row.id, std::move(row.complaints), out.complaints);
  if (row.fact) out.compute_nodes.push_back(*std::move(row.fact));
}

// A node that was deleted and made again has two rows. The later one stands.
void KnownNodes::keep_successors(CellFacts& out) const {
  if (out.compute_nodes_gone.empty()) return;
  std::set<std::pair<std::string, std::string>> present;
  for (const auto& [id, known] : known_) {
    if (known.is_fact) present.emplace(known.name.host, known.name.node);
  }
  std::erase_if(out.compute_nodes_gone, [&present](const NodeName& name) {
    return present.contains({name.host, name.node});
  });
}

void KnownNodes::apply(Read read, Complaints& complaints, CellFacts& out) {
  for (const auto id : read.gone) {
    const auto known = known_.find(id);
    if (known == known_.end()) continue;
    if (known->second.is_fact) out.compute_nodes_gone.push_back(known->second.name);
    known_.erase(known);
    complaints.take(std::string(compute_nodes.name), id, {}, out.complaints);
  }
  for (auto& row : read.rows) apply(std::move(row), complaints, out);
  keep_successors(out);
}

}  // namespace gantry::nova
