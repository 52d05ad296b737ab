// SPDX-License-Identifier: Apache-2.0
//
// The file of the requests that are under way. It outlives the process, not the machine: nothing is synced to the disk.
// Each change is one line, appended. The file is written again when it has grown.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/nova/rpc/journal_entry.hpp"
#include "core/result.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// A line that cannot be written is logged, once until the next one that can: the service goes on. [any thread]
class Journal {
 public:
  // Opens or makes the file, with mode 0600, and reads what an earlier process has left. A damaged file is renamed to
  // <path>.damaged. Errors: already_exists: another process has the journal; invalid_configuration: the file cannot be
  // made.
  static Result<std::shared_ptr<Journal>> open(const std::string& path, std::shared_ptr<telemetry::Logger> logger);

  // Returns the requests that an earlier process acknowledged and did not close, in their order. Call this once.
  std::vector<JournalEntry> take_left();

  // Returns the unique ids of the last requests that were closed, by this process and those before: the broker delivers
  // such a request again if the ack had not left when the process ended.
  std::vector<std::string> closed_ids() const;

  // Gives the request a number and writes it.
  std::uint64_t take(JournalEntry& entry);
  void ack(std::uint64_t number);
  void hear(std::uint64_t number, std::int64_t at);
  void claim(std::uint64_t number, std::string_view claim);
  void answer(std::uint64_t number, std::string_view body);
  void give_back(std::uint64_t number);
  void take_up(std::uint64_t number);
  void close(std::uint64_t number);

  std::vector<std::string> claims_of(std::uint64_t number) const;

 private:
  struct Open {
    std::string unique_id;
    std::string lines;
    std::vector<std::string> claims;
  };

  Journal(std::string path, files::Descriptor lock, std::shared_ptr<telemetry::Logger> logger);

  Result<void> load();
  void set_aside(const Error& fault);
  Result<void> write_anew();
  void compact();
  void remember(const std::string& unique_id);
  void append(std::uint64_t number, const std::string& line);
  void complain(int number);
  Error failed(const std::string& what) const;

  const std::string path_;
  const files::Descriptor lock_;
  const std::shared_ptr<telemetry::Logger> logger_;
  mutable std::mutex mutex_;
  files::Descriptor file_;
  std::size_t size_ = 0;        // the file has
  std::size_t live_bytes_ = 0;  // the lines in open_ have
  bool is_failing_ = false;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, Open> open_;
  std::vector<JournalEntry> left_;
  std::deque<std::string> closed_;  // unique ids
};

}  // namespace gantry::nova
