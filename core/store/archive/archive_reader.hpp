// SPDX-License-Identifier: Apache-2.0
//
// Reads one segment of the archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/store/archive/archive_segment.hpp"
#include "core/store/archive/decision_archive.hpp"
#include "core/store/archive/packed_text.hpp"

namespace gantry::store {

// The ids and times of a segment's decisions. Ids follow each other without a gap.
struct DecisionRange {
  std::int64_t first_id = 0;
  std::int64_t last_id = -1;
  std::int64_t last_time = 0;

  bool empty() const { return last_id < first_id; }
  std::uint64_t count() const { return empty() ? 0 : static_cast<std::uint64_t>(last_id - first_id + 1); }
};

// [one thread at a time]
class SegmentReader {
 public:
  static Result<SegmentReader> open(const std::string& path);

  // ---- of a segment of decisions
  Result<DecisionRange> range();
  // Appends the decisions that the query names, the latest first, until `out` has query.limit of them.
  Result<void> list(const ArchiveQuery& query, std::vector<KeptDecision>& out);

  // ---- of a segment of facts
  // Returns the pieces that the moment needs. Empty: the segment does not have it.
  Result<std::vector<KeptFacts>> facts(std::int64_t run, std::uint64_t moment);

 private:
  SegmentReader(Connection segment, TextPacker packer) : segment_(std::move(segment)), packer_(std::move(packer)) {}

  Connection segment_;
  TextPacker packer_;
};

}  // namespace gantry::store
