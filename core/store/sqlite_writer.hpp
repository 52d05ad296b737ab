// SPDX-License-Identifier: Apache-2.0
//
// The thread that commits: takes as many waiting batches as fit into one transaction, commits, and answers each.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/result.hpp"
#include "core/store/sqlite_group_commit.hpp"
#include "core/store/sqlite_store.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

class SqliteWriter {
 public:
  // The thread does not use the connection of `group_commit` before the first submit.
  SqliteWriter(GroupCommit group_commit, const SqliteSettings& settings);
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;
  ~SqliteWriter();  // commits and answers all waiting batches

  enum class Pace : std::uint8_t { at_once, behind };

  // Implement the members of Store of the same names. [any thread] Within a `done`, flush returns at once.
  void submit(Batch batch, Done done, Undo undo, Pace pace = Pace::at_once);
  void undo_under(std::mutex* order);
  void flush();
  bool has_been_used() const;

 private:
  struct Waiting {
    Batch batch;
    Done done;
    Undo undo;
    std::size_t bytes = 0;
    std::optional<Error> refusal;  // set at submit: already undone, never applied, answered in its order
  };
  using Group = std::vector<Waiting>;
  using Clock = std::chrono::steady_clock;

  void run();
  Group take_group();  // waits; empty if the writer stops and no batch waits
  Result<void> commit(const Group& group);
  // Moves all waiting batches into the group and undoes it.
  void take_back(Group& group);
  void watch(const Result<void>& committed);
  void count(const Group& group, const Result<void>& committed) const;

  std::optional<Error> unfit(const Batch& batch) const;
  // Requires the mutex.
  Error too_much_waits() const;
  void enqueue(Waiting entry, Pace pace);
  void hurry(Clock::time_point due);
  bool is_due() const;
  // Waits until a batch is due. Returns false if none is due before `end`.
  bool wait_until_due(std::unique_lock<std::mutex>& lock, std::optional<Clock::time_point> end);

  GroupCommit group_commit_;
  const SqliteSettings settings_;
  // Used by the writer thread alone.
  bool disk_fails_ = false;   // the state that was logged last
  bool has_removed_ = false;  // a document, since the log was emptied

  mutable std::mutex mutex_;
  std::condition_variable submitted_more_;
  std::condition_variable answered_more_;
  std::deque<Waiting> waiting_;
  std::optional<Clock::time_point> due_;  // the time of the next commit; nullopt: no batch waits
  std::mutex* order_ = nullptr;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t submitted_ = 0;
  std::uint64_t answered_ = 0;
  bool stopping_ = false;

  std::thread thread_;  // last, since the thread uses the members above
};

}  // namespace gantry::store
