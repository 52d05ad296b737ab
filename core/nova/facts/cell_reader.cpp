// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/cell_reader.hpp"

#include <future>
#include <iterator>
#include <optional>

#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

namespace {

// The times of rows come from the clocks of Nova's own processes. A refresh goes back by this much, so that their clocks
// may differ and transactions may take time. Rows that are read twice are told apart by their content.
constexpr std::string_view overlap = "10 SECOND";
// The server is asked for the time once in so long: a window may begin too early.
constexpr std::chrono::seconds window_age{1};

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

// Reads services with `read`, over `beside` while `rest` reads over the connection. A second connection that fails leaves
// the services to the first.
template <class Services, class Read, class Rest>
Result<void> read_beside(Connection& connection, Connection* beside, Services& services, Read read, Rest rest) {
  std::future<Result<Services>> others;
  if (beside != nullptr)
    others = std::async(std::launch::async | std::launch::deferred, [&read, beside] { return read(*beside); });
  auto done = rest();
  if (others.valid()) {
    auto found = others.get();
    if (found) {
      services = *std::move(found);
      return done;
    }
  }
  return done ? keep(read(connection), services) : std::move(done);
}

}  // namespace

Result<void> CellReader::read_all(Connection& connection, const Known& known, Reads& reads) {
  auto done = keep(known.nodes.read_all(connection), reads.nodes);
  if (done) done = keep(known.instances.read_all(connection), reads.instances);
  return done;
}

Result<void> CellReader::read_changes(Connection& connection, const Known& known, Depth depth, const std::string& since,
                                      Reads& reads) {
  const bool is_whole = depth == Depth::whole;
  auto done = keep(known.nodes.read_changes(connection, since), reads.nodes);
  if (done) done = keep(known.instances.read_changes(connection, since), reads.instances);
  if (done && is_whole) done = known.nodes.compare(connection, reads.nodes);
  if (done && is_whole) done = known.instances.read_next_hosts(connection, reads.instances);
  return done;
}

// Refused images are asked for again now and then: somebody may grant them.
Result<void> CellReader::add_images(Connection& connection, Depth depth, bool has_all, Reads& reads) const {
  reads.images = images_;
  reads.refusal = refusal_;
  if (images_ == Images::not_wanted || (images_ == Images::refused && depth != Depth::whole)) return {};
  auto& rows = reads.instances.rows;
  if (images_ != Images::known && !has_all) {
    KnownInstances::Read all;
    if (auto done = keep(known_.instances.read_all(connection), all); !done) return done;
    rows.insert(rows.end(), std::make_move_iterator(all.rows.begin()), std::make_move_iterator(all.rows.end()));
  }
  const auto done = KnownInstances::read_images(connection, reads.instances);
  reads.images = Images::known;
  if (done) return {};
  const auto& refusal = done.error();
  if (refusal.code != ErrorCode::permission_denied && refusal.code != ErrorCode::not_found) return refusal;
  reads.images = Images::refused;
  reads.refusal = refusal.message;
  return {};
}

// Nothing is remembered before everything has been read: a refresh that fails half way loses no change.
CellFacts CellReader::apply(Reads reads) {
  CellFacts facts;
  known_.services.apply(std::move(reads.services), complaints_, facts);
  known_.nodes.apply(std::move(reads.nodes), complaints_, facts);
  known_.instances.apply(std::move(reads.instances), complaints_, facts);
  images_ = reads.images;
  refusal_ = std::move(reads.refusal);
  std::vector<Complaint> refusals;
  if (images_ == Images::refused)
    refusals.push_back(
        {.table = std::string(system_metadata.name), .column = "value", .reason = refusal_, .host = {}, .node = {}});
  complaints_.take(std::string(system_metadata.name), 0, std::move(refusals), facts.complaints);
  return facts;
}

Result<CellFacts> CellReader::load(Connection& connection, Connection* beside) {
  Reads reads;
  std::string next;
  const auto begun_at = Clock::now();
  auto done = connection.in_snapshot([&]() -> Result<void> {
    auto begun = keep(start_of_next_window(connection), next);
    if (!begun) return begun;
    const Known nothing;
    return read_beside(
        connection, beside, reads.services, [&](Connection& over) { return nothing.services.read_all(over); },
        [&] {
          auto done = read_all(connection, nothing, reads);
          return done ? add_images(connection, Depth::whole, true, reads) : std::move(done);
        });
  });
  if (!done) return std::move(done).error();
  known_ = {};
  since_ = std::move(next);
  since_read_at_ = begun_at;
  return apply(std::move(reads));
}

Result<CellFacts> CellReader::refresh(Connection& connection, Depth depth, std::span<const std::string> hosts,
                                      Connection* beside) {
  if (since_.empty())
    return Error{ErrorCode::failed_precondition, "database " + connection.place() + ": nothing is loaded yet", {}};
  Reads reads;
  std::string next;
  const auto begun_at = Clock::now();
  auto done = connection.in_snapshot([&]() -> Result<void> {
    Result<void> begun;
    if (begun_at - since_read_at_ >= window_age) begun = keep(start_of_next_window(connection), next);
    if (!begun) return begun;
    const auto& services = known_.services;
    return read_beside(
        connection, beside, reads.services,
        [&](Connection& over) {
          return depth == Depth::whole ? services.read_all(over) : services.read_changes(over, since_);
        },
        [&] {
          auto done = read_changes(connection, known_, depth, since_, reads);
          if (done) done = known_.instances.read_hosts(connection, hosts, reads.instances);
          return done ? add_images(connection, depth, false, reads) : std::move(done);
        });
  });
  if (!done) return std::move(done).error();
  if (!next.empty()) {
    since_ = std::move(next);
    since_read_at_ = begun_at;
  }
  return apply(std::move(reads));
}

}  // namespace gantry::nova
