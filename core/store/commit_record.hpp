// SPDX-License-Identifier: Apache-2.0
//
// The number of the last commit that was answered, kept in the lock file beside the store. SQLite passes over damage in
// its write-ahead log in silence and opens the store as of an earlier commit. The store counts its commits in a table,
// so that a start sees by both numbers whether answered commits are missing.
//
//   write:  commit N is synced to the log  ->  N goes into the lock file, unsynced  ->  the batches are answered
//   start:  the lock file says M, the store says N; M > N: commits N + 1 to M are missing
//
// A kill between the two writes, or a power loss, leaves M too small, never too large. So a start never refuses a sound
// store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::store {

// Numbers count from 1. 0: no commit, or none that is known.
using CommitNumber = std::uint64_t;

// The record as text of a fixed width. The text holds the number twice, so that a half-written record is recognised.
std::string commit_record(CommitNumber number);

// Returns the number of a record. 0 if the text is not a whole record.
CommitNumber read_commit_record(std::string_view text);

// Returns failed_precondition with both numbers and the files' names if the store lacks commits that were answered.
Result<void> check_commits(const std::string& store_path, CommitNumber answered, CommitNumber found);

}  // namespace gantry::store
