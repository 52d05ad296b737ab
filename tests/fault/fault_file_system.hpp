// SPDX-License-Identifier: Apache-2.0
//
// The file system that SQLite sees in these tests: the real one, but that any operation can be made to fail, and that
// power can be lost, when of what was not synced only some 512-byte sectors are there afterwards.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace gantry::fault {

enum class Form {
  io_error,
  disk_full,    // writes and syncs find no space; other operations fail as with io_error
  short_write,  // half of a write is there; other operations fail as with io_error
};

struct Fault {
  std::uint64_t at = 0;  // the operation that fails, counted from 1 when it is armed; 0: none
  bool lasts = false;    // all after it fail as well
  Form form = Form::io_error;
};

// [any thread] Nothing is really synced: these tests outlive no power loss but their own.
class FaultFileSystem {
 public:
  // SQLite's default from now on. Made once, before SQLite opens anything.
  static FaultFileSystem& installed();

  // Counting begins anew.
  void arm(const Fault& fault);
  // Of what is armed: writes and syncs alone are counted, and fail.
  void fail_only_what_takes_space();
  // Nothing fails from now on, and nothing is remembered for a power loss.
  void disarm();
  std::uint64_t operations() const;
  bool has_struck() const;
  // What failed first since arm: "write gantry.db-wal", for messages.
  std::string struck() const;

  // From now on what is synced is told apart from what is not. `at`: as of a lasting fault.
  void watch_power(std::uint64_t at);
  // The files as the next start may find them; nothing may have them open.
  void lose_power(std::mt19937_64& random);

 private:
  struct Write {
    std::uint64_t offset = 0;
    std::string bytes;
    bool truncates = false;  // to `offset`
  };
  struct Image {
    std::string synced;
    bool name_is_synced = false;
    bool removed = false;
    std::vector<Write> writes;            // since the last sync
    std::optional<std::string> previous;  // of that name, removed but not for sure
  };
  friend struct Hooks;

  // The errno of a failure, or -1 for a write that is to be done by half; 0: goes on.
  int meet(const char* operation, const std::string& path);
  void opened(const std::string& path, bool was_there, int flags);
  void written(const std::string& path, std::uint64_t offset, std::string_view bytes);
  void truncated(const std::string& path, std::uint64_t size);
  void synced(const std::string& path);
  void removed(const std::string& path, bool for_sure);
  static std::string after_power_loss(const Image& image, std::mt19937_64& random);

  mutable std::mutex mutex_;
  Fault fault_;
  bool only_what_takes_space_ = false;
  std::uint64_t operations_ = 0;
  std::string struck_;
  int last_error_ = 0;
  bool watches_power_ = false;
  std::map<std::string, Image> images_;
};

}  // namespace gantry::fault
