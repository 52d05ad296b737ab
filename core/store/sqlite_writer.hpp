// SPDX-License-Identifier: Apache-2.0
//
// The thread that commits: takes the batches that wait, as many as fit, into one transaction and answers each.
#pragma once

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
  // The thread first touches the connection behind `group_commit` at the first submit.
  SqliteWriter(GroupCommit group_commit, const SqliteSettings& settings);
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;
  ~SqliteWriter();  // commits and answers what waits

  void submit(Batch batch, Done done);  // [any thread]
  void flush();                         // [any thread]; within a `done` it returns at once
  bool has_been_used() const;           // [any thread]

 private:
  struct Waiting {
    Batch batch;
    Done done;
    std::size_t bytes = 0;
    std::optional<Error> refusal;  // too much waited already: answered in its turn, not applied
  };
  using Group = std::vector<Waiting>;

  void run();
  Group take_group();  // empty: stopping, and nothing waits
  std::vector<Result<void>> commit(const Group& group);
  void watch(const std::vector<Result<void>>& outcomes);
  void count(const Group& group, const std::vector<Result<void>>& outcomes) const;

  GroupCommit group_commit_;
  const SqliteSettings settings_;
  // The writer thread's own.
  bool disk_fails_ = false;   // as last logged
  bool has_removed_ = false;  // since the log was emptied

  mutable std::mutex mutex_;
  std::condition_variable submitted_more_;
  std::condition_variable answered_more_;
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t submitted_ = 0;
  std::uint64_t answered_ = 0;
  bool stopping_ = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace gantry::store
