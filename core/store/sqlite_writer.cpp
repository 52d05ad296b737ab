// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_writer.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>

#include "core/store/sqlite_schema.hpp"

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
// How long the log may hold removed documents where the store is never idle.
constexpr std::chrono::seconds longest_removed{10};

Result<void> handed_over() {
  return Error{ErrorCode::unavailable, "the store has been handed to another process", {}};
}

bool removes_something(const Batch& batch) {
  return std::any_of(batch.begin(), batch.end(), [](const Change& change) { return !change.document; });
}

}  // namespace

SqliteWriter::SqliteWriter(std::optional<GroupCommit> group_commit, const SqliteSettings& settings)
    : group_commit_(std::move(group_commit)),
      settings_(settings),
      is_paused_(!group_commit_.has_value()),
      thread_([this] { run(); }) {}

SqliteWriter::~SqliteWriter() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  submitted_more_.notify_one();
  thread_.join();
}

void SqliteWriter::submit(Batch batch, Done done, Undo undo, Pace pace) {
  Waiting entry{.batch = std::move(batch), .done = std::move(done), .undo = std::move(undo), .refusal = std::nullopt};
  entry.bytes = bytes_of(entry.batch);
  entry.refusal = unfit(entry.batch);
  {
    const std::lock_guard lock(mutex_);
    if (!entry.refusal && waiting_bytes_ + entry.bytes > settings_.bytes_waiting) entry.refusal = too_much_waits();
    if (!entry.refusal) {
      enqueue(std::move(entry), pace);
      return;
    }
  }
  // Here, while the caller keeps others from changing what it has changed.
  if (entry.undo) entry.undo();
  entry.batch = {};
  entry.bytes = 0;
  const std::lock_guard lock(mutex_);
  enqueue(std::move(entry), pace);
}

void SqliteWriter::enqueue(Waiting entry, Pace pace) {
  waiting_bytes_ += entry.bytes;
  ++submitted_;
  if (noted_) noted_->add(entry.batch);
  const bool has_time = due_ && entry.batch.empty();
  waiting_.push_back(std::move(entry));
  note_waiting();
  if (has_time) return;  // answered with the batches that wait already
  hurry(pace == Pace::at_once ? Clock::time_point::min() : Clock::now() + settings_.behind);
}

void SqliteWriter::note_waiting() {
  times_.waiting.store(waiting_.size(), std::memory_order_relaxed);
  times_.waiting_bytes.store(waiting_bytes_, std::memory_order_relaxed);
}

void SqliteWriter::hurry(Clock::time_point due) {
  if (due_ && *due_ <= due) return;
  due_ = due;
  submitted_more_.notify_one();
}

bool SqliteWriter::is_due() const {
  return stopping_ || (due_ && *due_ <= Clock::now());
}

void SqliteWriter::stand_still(std::unique_lock<std::mutex>& lock) {
  if (!is_paused_) return;
  stands_still_ = true;
  answered_more_.notify_all();
  submitted_more_.wait(lock, [this] { return !is_paused_ || stopping_ || (fails_ && due_); });
  stands_still_ = false;
}

void SqliteWriter::note_changes() {
  {
    const std::lock_guard lock(mutex_);
    noted_.emplace();
  }
  flush();
}

std::string SqliteWriter::take_noted() {
  const std::lock_guard lock(mutex_);
  auto text = noted_ ? noted_->text() : std::string();
  noted_.reset();
  return text;
}

void SqliteWriter::pause() {
  flush();
  std::unique_lock lock(mutex_);
  is_paused_ = true;
  fails_ = false;
  submitted_more_.notify_one();
  answered_more_.wait(lock, [this] { return stands_still_; });
  group_commit_.reset();
}

void SqliteWriter::resume(GroupCommit group_commit) {
  {
    const std::lock_guard lock(mutex_);
    group_commit_.emplace(std::move(group_commit));
    is_paused_ = fails_ = false;
  }
  submitted_more_.notify_one();
}

bool SqliteWriter::wait_until_due(std::unique_lock<std::mutex>& lock, Clock::time_point end) {
  for (stand_still(lock); !is_due(); stand_still(lock)) {
    if (end <= Clock::now()) return false;
    submitted_more_.wait_until(lock, due_ ? std::min(*due_, end) : end);
  }
  return true;
}

std::optional<Error> SqliteWriter::unfit(const Batch& batch) const {
  for (const auto& change : batch) {
    const auto* const table = table_of(change.kind);
    if (table == nullptr) {
      const auto kind = std::to_string(static_cast<int>(change.kind));
      return Error{ErrorCode::invalid_argument, "store " + settings_.path + ": there is no kind " + kind, {}};
    }
    const auto bytes = change.key.size() + (change.document ? change.document->size() : 0);
    if (bytes <= settings_.bytes_per_document) continue;
    return Error{ErrorCode::invalid_argument,
                 "store " + settings_.path + ": a document of " + std::to_string(bytes) + " bytes for " + table +
                     " is too large, at most " + std::to_string(settings_.bytes_per_document) + " are kept",
                 {}};
  }
  return std::nullopt;
}

Error SqliteWriter::too_much_waits() const {
  return Error{ErrorCode::resource_exhausted,
               "store " + settings_.path + ": " + std::to_string(waiting_bytes_) +
                   " bytes of changes wait for the disk already, at most " + std::to_string(settings_.bytes_waiting) +
                   " may; try again later",
               {}};
}

void SqliteWriter::undo_under(std::mutex* order) {
  std::unique_lock lock(mutex_);
  // The caller may destroy the mutex of before when this returns.
  answered_more_.wait(lock, [&] { return !undoing_; });
  order_ = order;
}

void SqliteWriter::flush() {
  // A `done` that waited for itself would wait for ever.
  if (std::this_thread::get_id() == thread_.get_id()) return;
  std::unique_lock lock(mutex_);
  const std::uint64_t goal = submitted_;
  fails_ = is_paused_;
  if (is_paused_) submitted_more_.notify_one();
  if (due_) hurry(Clock::time_point::min());
  answered_more_.wait(lock, [&] { return answered_ >= goal; });
}

bool SqliteWriter::has_been_used() const {
  const std::lock_guard lock(mutex_);
  return submitted_ > 0;
}

std::optional<Error> SqliteWriter::fault() const {
  const std::lock_guard lock(mutex_);
  return fault_;
}

void SqliteWriter::run() {
  for (Group group = take_group(); !group.empty(); group = take_group()) {
    const bool writes = std::any_of(group.begin(), group.end(), [](const auto& entry) { return is_written(entry); });
    const auto committed = writes ? commit(group) : Result<void>();
    if (!committed) take_back(group);
    count(group, committed);
    if (writes) watch(committed);
    for (auto& entry : group) {
      if (entry.done) entry.done(entry.refusal ? Result<void>(*std::move(entry.refusal)) : committed);
    }
    {
      const std::lock_guard lock(mutex_);
      answered_ += group.size();
    }
    answered_more_.notify_all();
  }
}

void SqliteWriter::take_back(Group& group) {
  std::unique_lock lock(mutex_);
  std::unique_lock<std::mutex> order;
  undoing_ = true;
  if (order_ != nullptr) {
    auto& taken = *order_;
    lock.unlock();
    order = std::unique_lock(taken);
    lock.lock();
  }
  // Batches that were submitted meanwhile build on the changes that failed.
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(group));
  waiting_.clear();
  waiting_bytes_ = 0;
  note_waiting();
  due_.reset();
  lock.unlock();
  for (auto entry = group.rbegin(); entry != group.rend(); ++entry) {
    if (entry->undo && !entry->refusal) entry->undo();
  }
  if (order) order.unlock();
  lock.lock();
  undoing_ = false;
  lock.unlock();
  answered_more_.notify_all();
}

SqliteWriter::Group SqliteWriter::take_group() {
  std::unique_lock lock(mutex_);
  while (removed_since_ &&
         (!wait_until_due(lock, Clock::now() + idle) || *removed_since_ + longest_removed < Clock::now())) {
    lock.unlock();
    removed_since_ = !group_commit_ || group_commit_->empty_log() ? std::nullopt : std::optional(Clock::now());
    lock.lock();
    if (is_due()) break;
  }
  while (!wait_until_due(lock, Clock::now() + settings_.lock_interval)) {
    lock.unlock();
    look_at_lock();
    lock.lock();
  }
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
  note_waiting();
  if (waiting_.empty()) due_.reset();
  return group;
}

void SqliteWriter::look_at_lock() {
  const auto alone = group_commit_ ? group_commit_->check_lock() : Result<void>();
  if (!alone || has_lost_lock_) watch(alone);
  has_lost_lock_ = !alone;
}

Result<void> SqliteWriter::commit(const Group& group) {
  std::vector<const Batch*> batches;
  batches.reserve(group.size());
  for (const auto& entry : group) {
    if (!is_written(entry)) continue;
    batches.push_back(&entry.batch);
    if (!removed_since_ && removes_something(entry.batch)) removed_since_ = Clock::now();
  }
  const auto began = Clock::now();
  times_.queue.observe(began - group.front().submitted);
  auto committed = group_commit_ ? group_commit_->commit(batches) : handed_over();
  times_.commit.observe_since(began);
  return committed;
}

void SqliteWriter::watch(const Result<void>& committed) {
  const bool fails = !committed;
  bool failed_before = false;
  {
    const std::lock_guard lock(mutex_);
    failed_before = fault_.has_value();
    fault_ = fails ? std::optional(committed.error()) : std::nullopt;
  }
  if (fails == failed_before || !settings_.logger) return;
  if (fails) {
    settings_.logger->write(telemetry::Level::error, "store cannot keep changes; they are refused until it can",
                            {{"reason", committed.error().message}});
  } else {
    settings_.logger->write(telemetry::Level::info, "store keeps changes again", {{"path", settings_.path}});
  }
}

void SqliteWriter::count(const Group& group, const Result<void>& committed) const {
  if (!settings_.counters) return;
  const auto failed =
      std::count_if(group.begin(), group.end(), [&](const auto& entry) { return !committed || entry.refusal; });
  const auto written = std::count_if(group.begin(), group.end(), [](const auto& entry) { return is_written(entry); });
  if (written > 0) settings_.counters->add("store_transactions", "", 1);
  settings_.counters->add("store_batches", "", group.size());
  if (failed > 0) settings_.counters->add("store_failed_batches", "", static_cast<std::uint64_t>(failed));
}

}  // namespace gantry::store
