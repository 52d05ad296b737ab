// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_writer.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace gantry::store {

namespace {

std::size_t bytes_of(const Batch& batch) {
  std::size_t bytes = sizeof(Batch);
  for (const auto& change : batch) {
    bytes += sizeof(Change) + change.key.size() + (change.document ? change.document->size() : 0);
  }
  return bytes;
}

// How long nothing is submitted before the log is emptied; until then a commit may follow, and writes over it anyway.
constexpr std::chrono::seconds idle{1};

bool removes_something(const Batch& batch) {
  return std::any_of(batch.begin(), batch.end(), [](const Change& change) { return !change.document; });
}

bool is_disk_failure(const Result<void>& outcome) {
  return !outcome && outcome.error().code != ErrorCode::invalid_argument;
}

}  // namespace

SqliteWriter::SqliteWriter(GroupCommit group_commit, const SqliteSettings& settings)
    : group_commit_(std::move(group_commit)), settings_(settings), thread_([this] { run(); }) {}

SqliteWriter::~SqliteWriter() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  submitted_more_.notify_one();
  thread_.join();
}

void SqliteWriter::submit(Batch batch, Done done) {
  Waiting entry{std::move(batch), std::move(done), 0, std::nullopt};
  entry.bytes = bytes_of(entry.batch);
  {
    const std::lock_guard lock(mutex_);
    if (waiting_bytes_ + entry.bytes > settings_.bytes_waiting) {
      entry.refusal = Error{ErrorCode::resource_exhausted,
                            "store " + settings_.path + ": " + std::to_string(waiting_bytes_) +
                                " bytes of changes wait for the disk already, at most " +
                                std::to_string(settings_.bytes_waiting) + " may; try again later",
                            {}};
      entry.batch = {};
      entry.bytes = 0;
    }
    waiting_bytes_ += entry.bytes;
    ++submitted_;
    waiting_.push_back(std::move(entry));
  }
  submitted_more_.notify_one();
}

void SqliteWriter::flush() {
  // A `done` that waited for itself would wait for ever.
  if (std::this_thread::get_id() == thread_.get_id()) return;
  std::unique_lock lock(mutex_);
  const std::uint64_t goal = submitted_;
  answered_more_.wait(lock, [&] { return answered_ >= goal; });
}

bool SqliteWriter::has_been_used() const {
  const std::lock_guard lock(mutex_);
  return submitted_ > 0;
}

void SqliteWriter::run() {
  for (Group group = take_group(); !group.empty(); group = take_group()) {
    auto outcomes = commit(group);
    count(group, outcomes);
    watch(outcomes);
    // Who hears of a failure puts things back: what was changed last, first.
    for (std::size_t i = group.size(); i-- > 0;) {
      if (group[i].done && !outcomes[i]) group[i].done(outcomes[i]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (group[i].done && outcomes[i]) group[i].done(outcomes[i]);
    }
    {
      const std::lock_guard lock(mutex_);
      answered_ += group.size();
    }
    answered_more_.notify_all();
  }
}

SqliteWriter::Group SqliteWriter::take_group() {
  std::unique_lock lock(mutex_);
  const auto is_due = [&] { return stopping_ || !waiting_.empty(); };
  if (has_removed_ && !submitted_more_.wait_for(lock, idle, is_due)) {
    lock.unlock();
    // If it fails, as on a full disk, later removals try again.
    static_cast<void>(group_commit_.empty_log());
    has_removed_ = false;
    lock.lock();
  }
  submitted_more_.wait(lock, is_due);
  Group group;
  std::size_t bytes = 0;
  while (!waiting_.empty() && group.size() < std::max<std::size_t>(1, settings_.batches_per_transaction)) {
    const std::size_t next = waiting_.front().bytes;
    if (!group.empty() && bytes + next > settings_.bytes_per_transaction) break;
    bytes += next;
    group.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  waiting_bytes_ -= bytes;
  return group;
}

std::vector<Result<void>> SqliteWriter::commit(const Group& group) {
  std::vector<const Batch*> batches;
  for (const auto& entry : group) {
    if (entry.refusal) continue;
    batches.push_back(&entry.batch);
    has_removed_ = has_removed_ || removes_something(entry.batch);
  }
  std::vector<Result<void>> committed;
  if (!batches.empty()) committed = group_commit_.commit(batches);
  std::vector<Result<void>> outcomes;
  outcomes.reserve(group.size());
  auto next = committed.begin();
  for (const auto& entry : group) {
    outcomes.push_back(entry.refusal ? Result<void>(*entry.refusal) : std::move(*next++));
  }
  return outcomes;
}

void SqliteWriter::watch(const std::vector<Result<void>>& outcomes) {
  const auto failure = std::find_if(outcomes.begin(), outcomes.end(), is_disk_failure);
  const bool fails = failure != outcomes.end();
  if (fails == std::exchange(disk_fails_, fails) || !settings_.logger) return;
  if (fails) {
    settings_.logger->write(telemetry::Level::error, "store cannot keep changes; they are refused until it can",
                            {{"reason", failure->error().message}});
  } else {
    settings_.logger->write(telemetry::Level::info, "store keeps changes again", {{"path", settings_.path}});
  }
}

void SqliteWriter::count(const Group& group, const std::vector<Result<void>>& outcomes) const {
  if (!settings_.counters) return;
  const auto failed = std::count_if(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return !outcome; });
  settings_.counters->add("store_transactions", "", 1);
  settings_.counters->add("store_batches", "", group.size());
  if (failed > 0) settings_.counters->add("store_failed_batches", "", static_cast<std::uint64_t>(failed));
}

}  // namespace gantry::store
