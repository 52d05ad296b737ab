// SPDX-License-Identifier: Apache-2.0
//
// A moment of the past, made again from the bytes of the history. It shows a driver what it saw then, with these
// exceptions: last_seen_up and updated_at of a row are of the last time that something else of the row changed, and the
// view's generation is 0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/fleet/history/recalled_topic.hpp"
#include "core/fleet/history/topic_facts.hpp"
#include "core/fleet/tables/moment.hpp"
#include "core/result.hpp"

namespace gantry::fleet {

// A piece of the history.
struct FactChunk {
  std::string bytes;
  std::uint64_t first_moment = 0;  // 0: the chunk has no entries
  std::uint64_t last_moment = 0;
  bool begins_whole = false;  // no earlier chunk is needed to recall what this one tells

  bool empty() const { return first_moment == 0; }
};

// Returns the whole content of a moment, from which the moments after it can be recalled without what was before.
// [any thread]
FactChunk whole_facts(const Moment& moment);

class RecalledFleet {
 public:
  // Applies the entries of a chunk up to moment `until`. Call in the order of moments, first with a chunk that begins
  // whole. Fails with failed_precondition if chunks between this one and the one before are missing, with internal if
  // the bytes are damaged.
  Result<void> apply(const FactChunk& chunk, std::uint64_t until);
  // Returns the number of the moment that is recalled so far. 0: none.
  std::uint64_t number() const { return number_; }
  // Returns the moment. Call once.
  Moment moment();

 private:
  Result<void> apply_entry(const EntryHead& entry);

  std::uint64_t number_ = 0;
  std::map<std::string, RecalledTopic, std::less<>> topics_;
};

}  // namespace gantry::fleet
