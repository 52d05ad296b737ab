// SPDX-License-Identifier: Apache-2.0
//
// The store's file before SQLite sees it: its directory, its mode, its first bytes, and who uses it.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"
#include "core/store/file_descriptor.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

// "GaNt", as PRAGMA application_id of every store.
inline constexpr std::int64_t application_id = 0x47614e74;

// Held by the process that uses the store; the kernel lets go of it however that process ends.
class StoreLock {
 public:
  // Fails at once, naming the process that holds it. permission_denied: others may write to the directory, or the lock
  // file is not our own.
  static Result<StoreLock> take(const std::string& store_path);

 private:
  explicit StoreLock(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

// Makes the last level of the directory that is missing (mode 0750).
Result<void> make_directory(const std::string& store_path);

// What has been made or renamed in the directory of `path` is there after a power loss too.
Result<void> sync_directory(const std::string& path);

// Makes the file if it is missing; takes all access from group and others (mode 0600); refuses a file that
// its header says is not a store, a damaged log beside it, and links, special files and files of other users in its or
// its companions' place.
Result<void> prepare_file(const std::string& store_path, telemetry::Logger& logger);

}  // namespace gantry::store
