// SPDX-License-Identifier: Apache-2.0
//
// A request as the journal keeps it, and the lines that tell its story: taken, acked, heard, claimed, answered.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/nova/rpc/message.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// The time of the journal: milliseconds since 1970.
std::int64_t wall_clock();

// How long a caller waits. Times are milliseconds since 1970.
struct Patience {
  std::int64_t heard_at = 0;    // when the caller heard a heartbeat last, or the request was taken
  std::int64_t expires_at = 0;  // when the caller gives up in any case; 0: not known
  std::int64_t monitored = 0;   // how long the caller waits without a heartbeat; 0: not known

  bool lasts_at(std::int64_t now) const;
};

struct JournalEntry {
  std::uint64_t number = 0;
  RpcCaller caller;
  std::string reply_id;               // the unique id of the answer
  std::optional<RpcRequest> request;  // absent: it could not be read, and the answer says so
  // Milliseconds since 1970.
  std::int64_t heard_at = 0;    // when the caller heard a heartbeat last, or the request was taken
  std::int64_t expires_at = 0;  // when the caller gives up in any case; 0: not known
  int attempts = 1;             // processes that have worked on the request
  bool is_acked = false;
  std::vector<std::string> claims;
  std::string reply;       // the body; empty: there is no answer yet
  bool is_direct = false;  // the caller has asked the process itself, and asks again if it loses the answer
};

Patience patience_of(const JournalEntry& entry);

// Each returns one line with its end.
std::string journal_head();
// Leaves secrets out.
std::string taken_line(const JournalEntry& entry);
std::string acked_line(std::uint64_t number);
std::string heard_line(std::uint64_t number, std::int64_t at);
std::string claimed_line(std::uint64_t number, std::string_view claim);
std::string answered_line(std::uint64_t number, std::string_view body);
// Nothing is left of the request's claims.
std::string given_back_line(std::uint64_t number);
// Another process works on the request now.
std::string taken_up_line(std::uint64_t number);
std::string closed_line(std::uint64_t number);
// The unique ids of the last requests that were closed.
std::string recent_line(const std::deque<std::string>& unique_ids);

struct JournalContents {
  struct Story {
    JournalEntry entry;
    std::string lines;
  };
  std::map<std::uint64_t, Story> open;  // requests that were not closed
  std::vector<std::string> closed;      // the unique ids of the others, in their order
  std::uint64_t last_number = 0;
  bool is_torn = false;  // a last line without its end has been left out
};

// Error: names the line that a journal cannot have.
Result<JournalContents> read_journal(std::string_view text);

}  // namespace gantry::nova
