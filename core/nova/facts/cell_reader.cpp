// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/cell_reader.hpp"

#include <optional>

namespace gantry::nova {

namespace {

// The times of rows come from the clocks of Nova's own processes. A refresh goes back by this much, so that their clocks
// may differ and transactions may take time. Rows that are read twice are told apart by their content.
constexpr std::string_view overlap = "10 SECOND";

Result<std::string> start_of_next_window(Connection& connection) {
  std::string since;
  auto done = connection.query("SELECT UTC_TIMESTAMP() - INTERVAL " + std::string(overlap), [&since](Row row) {
    if (const auto* text = std::get_if<std::string_view>(&row[0])) since = "'" + std::string(*text) + "'";
  });
  if (!done) return std::move(done).error();
  return since;
}

template <class Read>
Result<void> keep(Result<Read> result, Read& out) {
  if (!result) return std::move(result).error();
  out = *std::move(result);
  return {};
}

}  // namespace

Result<void> CellReader::read_all(Connection& connection, const Known& known, Reads& reads) {
  auto done = keep(known.services.read_all(connection), reads.services);
  if (done) done = keep(known.nodes.read_all(connection), reads.nodes);
  if (done) done = keep(known.instances.read_all(connection), reads.instances);
  return done;
}

Result<void> CellReader::read_changes(Connection& connection, const Known& known, Depth depth, const std::string& since,
                                      Reads& reads) {
  const bool is_whole = depth == Depth::whole;
  auto done = keep(is_whole ? known.services.read_all(connection) : known.services.read_changes(connection, since),
                   reads.services);
  if (done) done = keep(known.nodes.read_changes(connection, since), reads.nodes);
  if (done) done = keep(known.instances.read_changes(connection, since), reads.instances);
  if (done && is_whole) done = known.nodes.compare(connection, reads.nodes);
  if (done && is_whole) done = known.instances.read_next_hosts(connection, reads.instances);
  return done;
}

// Nothing is remembered before everything has been read: a refresh that fails half way loses no change.
CellFacts CellReader::apply(Reads reads) {
  CellFacts facts;
  known_.services.apply(std::move(reads.services), complaints_, facts);
  known_.nodes.apply(std::move(reads.nodes), complaints_, facts);
  known_.instances.apply(std::move(reads.instances), complaints_, facts);
  return facts;
}

Result<CellFacts> CellReader::load(Connection& connection) {
  Reads reads;
  std::string next;
  auto done = connection.in_snapshot([&]() -> Result<void> {
    auto begun = keep(start_of_next_window(connection), next);
    return begun ? read_all(connection, Known{}, reads) : std::move(begun);
  });
  if (!done) return std::move(done).error();
  known_ = {};
  since_ = std::move(next);
  return apply(std::move(reads));
}

Result<CellFacts> CellReader::refresh(Connection& connection, Depth depth, std::span<const std::string> hosts) {
  if (since_.empty())
    return Error{ErrorCode::failed_precondition, "database " + connection.place() + ": nothing is loaded yet", {}};
  Reads reads;
  std::string next;
  auto done = connection.in_snapshot([&]() -> Result<void> {
    auto begun = keep(start_of_next_window(connection), next);
    if (begun) begun = read_changes(connection, known_, depth, since_, reads);
    return begun ? known_.instances.read_hosts(connection, hosts, reads.instances) : std::move(begun);
  });
  if (!done) return std::move(done).error();
  since_ = std::move(next);
  return apply(std::move(reads));
}

}  // namespace gantry::nova
