// SPDX-License-Identifier: Apache-2.0
//
// Commits batches on a thread of its own. The thread takes as many waiting batches as fit into one transaction, commits
// them, and answers each batch: it calls the batch's `done`.
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
#include "core/store/changed_keys.hpp"
#include "core/store/sqlite_group_commit.hpp"
#include "core/store/sqlite_store.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

class SqliteWriter {
 public:
  // The thread does not use the connection of `group_commit` before the first submit. nullopt: the writer is paused.
  SqliteWriter(std::optional<GroupCommit> group_commit, const SqliteSettings& settings);
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;
  ~SqliteWriter();  // commits and answers all waiting batches

  // at_once: commit as soon as possible, for Store::submit. behind: wait for further batches, for Store::submit_behind.
  enum class Pace : std::uint8_t { at_once, behind };

  // These members implement Store: submit, submit_behind, undo_under and flush. [any thread] A flush within a `done`
  // returns at once.
  void submit(Batch batch, Done done, Undo undo, Pace pace = Pace::at_once);
  void undo_under(std::mutex* order);
  void flush();
  std::optional<Error> fault() const;  // implements Store::fault
  StoreTimes& times() { return times_; }
  // Returns whether submit has been called.
  bool has_been_used() const;

  // Notes which documents are changed by batches of later calls, and waits until the earlier ones are answered.
  void note_changes();
  // Returns the documents that were noted since the last call of note_changes, and notes no further ones. Empty without
  // such a call, or if they were too many.
  std::string take_noted();
  // Commits and answers what was submitted before the call, then gives up the connection of the GroupCommit. Later
  // batches wait for resume. A flush meanwhile answers them with an error. [one thread at a time]
  void pause();
  void resume(GroupCommit group_commit);

 private:
  // A submitted batch that is not answered yet.
  struct Waiting {
    Batch batch;
    Done done;
    Undo undo;
    std::size_t bytes = 0;
    std::chrono::steady_clock::time_point submitted = std::chrono::steady_clock::now();
    // Set if submit refused the batch. The undo has run already and the batch is never committed. `done` gets this
    // error when it is the batch's turn.
    std::optional<Error> refusal;
  };
  using Group = std::vector<Waiting>;
  // Returns whether the batch has something to commit.
  static bool is_written(const Waiting& entry) { return !entry.refusal && !entry.batch.empty(); }
  using Clock = std::chrono::steady_clock;

  void run();
  // Waits for batches and takes those of the next transaction. Empty if the writer stops and no batch waits.
  Group take_group();
  Result<void> commit(const Group& group);
  // Tells of a lock file that has gone as of a commit that fails.
  void look_at_lock();
  // After a failed commit: moves all waiting batches to the end of the group, then runs its undos from last to first.
  void take_back(Group& group);
  // Logs that commits begin to fail, and that they succeed again.
  void watch(const Result<void>& committed);
  // Adds a group to the counters.
  void count(const Group& group, const Result<void>& committed) const;

  // Returns the error of a batch that can never be committed, nullopt for any other batch.
  std::optional<Error> unfit(const Batch& batch) const;
  // The caller of the functions below holds mutex_.
  Error too_much_waits() const;
  void enqueue(Waiting entry, Pace pace);
  // Waits while the writer is paused.
  void stand_still(std::unique_lock<std::mutex>& lock);
  // Moves the time of the next commit to `due` if that is earlier.
  void hurry(Clock::time_point due);
  bool is_due() const;
  // Waits until a commit is due. Returns false if none is due before `end`.
  bool wait_until_due(std::unique_lock<std::mutex>& lock, Clock::time_point end);

  // Tells how much waits. The caller holds mutex_.
  void note_waiting();

  std::optional<GroupCommit> group_commit_;  // nullopt while paused. Used by the thread unless that stands still
  StoreTimes times_;
  const SqliteSettings settings_;
  // Used by the writer thread alone.
  // When the first document was removed since the log was last emptied. nullopt: none was.
  std::optional<Clock::time_point> removed_since_;
  bool has_lost_lock_ = false;

  mutable std::mutex mutex_;
  std::condition_variable submitted_more_;
  std::condition_variable answered_more_;
  std::deque<Waiting> waiting_;
  std::optional<Clock::time_point> due_;  // the time of the next commit; nullopt: no batch waits
  std::mutex* order_ = nullptr;           // set by undo_under
  bool undoing_ = false;                  // true while undos run under *order_
  std::optional<Error> fault_;            // the error of the last commit
  std::optional<ChangedKeys> noted_;      // nullopt: no changes are noted
  std::size_t waiting_bytes_ = 0;
  std::uint64_t submitted_ = 0;  // batches, since the start
  std::uint64_t answered_ = 0;   // batches, since the start
  bool stopping_ = false;
  bool is_paused_ = false;
  bool stands_still_ = false;  // the thread waits for the end of the pause
  bool fails_ = false;         // a flush has come while paused: what waits is answered with an error

  std::thread thread_;  // last, since the thread uses the members above
};

}  // namespace gantry::store
