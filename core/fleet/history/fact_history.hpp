// SPDX-License-Identifier: Apache-2.0
//
// The history of a fleet's facts: what each pinned moment changed, as bytes for a file. A file of these bytes tells what
// a decision saw (RecalledFleet). Under the fleet's lock.
//
//   moment number   counts the moments that differ, from 1 on
//   entry           what one moment changed in one topic, or the whole topic
//   chunk           the entries since the chunk before; the first one, and each after a loss, begins with all topics whole
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/fleet/history/recalled_fleet.hpp"
#include "core/fleet/tables/table_copy.hpp"

namespace gantry::fleet {

class FactHistory {
 public:
  // If more than `most_bytes` are left untaken, they are lost and the history starts again.
  explicit FactHistory(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Call for each new moment. One element a topic, in order of topic: its copy, and what changed since the moment before.
  struct Change {
    const TableCopy* copy;
    const TableChanges* changes;
  };
  // Returns the number of the moment.
  std::uint64_t add(const std::vector<Change>& topics);
  // Returns what was added since the call before.
  FactChunk take();

 private:
  // The size of a topic as the entries have told it so far.
  struct Told {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
  };
  void add_topic(const Change& topic);

  std::size_t most_bytes_;
  std::uint64_t moment_ = 0;
  bool is_broken_ = true;  // the next entries have to be whole ones
  FactChunk chunk_;
  std::map<std::string, Told, std::less<>> told_;
};

}  // namespace gantry::fleet
