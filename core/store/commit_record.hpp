// SPDX-License-Identifier: Apache-2.0
//
// The number of the last commit that was answered: its batches were reported as committed. The record is kept in the
// lock file beside the store. SQLite passes over damage in its write-ahead log in silence and opens the store as of an
// earlier commit. The store also counts its commits in a table. A start compares both numbers and detects missing
// commits.
//
//   write:  commit N is synced to the log  ->  N goes into the lock file, unsynced  ->  the batches are answered
//   start:  the lock file says M, the store says N; if M > N, commits N + 1 to M are missing
//
// A kill between the two writes, or a power loss, leaves M too small, never too large. So a start never refuses a sound
// store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::store {

// The number of a commit, counted from 1. 0: there is no commit, or its number is not known.
using CommitNumber = std::uint64_t;

// Returns the record as text of a fixed width. The text holds the number twice, so a half-written record is recognised.
std::string commit_record(CommitNumber number);

// Returns the number in the text of a record. 0 if the text is not a complete record.
CommitNumber read_commit_record(std::string_view text);

// Fails with failed_precondition if the store lacks answered commits. `answered` is the number in the lock file,
// `found` the number in the store. The error has both numbers and the names of the files.
Result<void> check_commits(const std::string& store_path, CommitNumber answered, CommitNumber found);

}  // namespace gantry::store
