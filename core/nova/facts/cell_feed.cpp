// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/cell_feed.hpp"

#include <utility>

namespace gantry::nova {

namespace {

DatabaseFeed::Setup completed(DatabaseFeed::Setup setup, const Cell& cell,
                              std::function<Result<void>(Connection&, Depth)> read) {
  setup.name = "cell '" + cell.name + "'";
  setup.read = std::move(read);
  return setup;
}

}  // namespace

CellFeed::CellFeed(Cell cell, const NovaRelease& release, DatabaseFeed::Setup feed, Take take, WantsImages wants_images)
    : cell_(std::move(cell)),
      release_(release),
      url_(feed.url),
      timeouts_(feed.timeouts),
      take_(std::move(take)),
      wants_images_(std::move(wants_images)),
      logger_(feed.logger),
      feed_(completed(std::move(feed), cell_,
                      [this](Connection& connection, Depth depth) { return read(connection, depth); })) {}

Result<DatabaseCheck> CellFeed::check(Connection& connection) {
  auto check = check_database(connection, cell_tables, release_.title);
  if (check && check->failures.empty() && wants_images_())
    check = check_database(connection, image_tables, release_.title);
  if (!check || !check->failures.empty()) return check;
  auto lowest = lowest_compute_version(connection);
  if (!lowest) return std::move(lowest).error();
  auto collation = read_collation(connection, compute_nodes.name, "host");
  if (!collation) return std::move(collation).error();
  lowest_version_ = *lowest;
  collation_ = *collation;
  is_checked_ = true;
  return check;
}

void CellFeed::mark(const std::string& host) {
  const std::lock_guard lock(mutex_);
  marked_.insert(host);
}

void CellFeed::mark_all() {
  const std::lock_guard lock(mutex_);
  are_all_marked_ = true;
}

std::vector<std::string> CellFeed::take_marked() {
  const std::lock_guard lock(mutex_);
  auto marked = std::exchange(marked_, {});
  if (std::exchange(are_all_marked_, false)) {
    for (auto& host : reader_.hosts_with_instances()) marked.insert(std::move(host));
  }
  return {marked.begin(), marked.end()};
}

// A server that lets no second connection in is asked for one every few seconds. nullptr: there is none.
Connection* CellFeed::beside(Depth depth) {
  const bool is_open = beside_ && beside_->is_open();
  if (!is_open && (depth == Depth::whole || !is_loaded_)) {
    auto opened = Connection::open(url_, timeouts_);
    if (!opened) return nullptr;
    beside_ = *std::move(opened);
  }
  return beside_ && beside_->is_open() ? &*beside_ : nullptr;
}

// A cell that was away at the start is checked when it is back.
Result<void> CellFeed::read(Connection& connection, Depth depth) {
  if (!is_checked_) {
    const auto checked = check(connection);
    if (!checked) return checked.error();
    if (!checked->failures.empty()) return Error{ErrorCode::failed_precondition, checked->failures.front(), {}};
    for (const auto& warning : checked->warnings) logger_->write(telemetry::Level::warning, warning);
  }
  const auto begun = Clock::now();
  const auto marked = take_marked();
  auto* const second = beside(depth);
  if (wants_images_()) reader_.read_images();
  auto facts = is_loaded_ ? reader_.refresh(connection, depth, marked, second) : reader_.load(connection, second);
  if (!facts) {
    for (const auto& host : marked) mark(host);
    return std::move(facts).error();
  }
  is_loaded_ = true;
  take_(*this, *facts, begun);
  return {};
}

}  // namespace gantry::nova
