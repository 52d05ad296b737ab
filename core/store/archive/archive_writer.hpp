// SPDX-License-Identifier: Apache-2.0
//
// The segments that the archive appends to at present.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/store/archive/archive_segment.hpp"
#include "core/store/archive/decision_archive.hpp"
#include "core/store/archive/packed_text.hpp"

namespace gantry::store {

// A transaction that is rolled back unless it is committed.
class SegmentTransaction {
 public:
  static Result<SegmentTransaction> begin(Connection& segment);
  ~SegmentTransaction();
  SegmentTransaction(SegmentTransaction&& other) noexcept : segment_(std::exchange(other.segment_, nullptr)) {}
  SegmentTransaction& operator=(SegmentTransaction&&) = delete;
  Result<void> commit();

 private:
  explicit SegmentTransaction(Connection& segment) : segment_(&segment) {}
  Connection* segment_;
};

// [one thread at a time]
class DecisionWriter {
 public:
  static Result<DecisionWriter> open(Connection segment, std::int64_t run);
  // Appends the decisions with ids from `first` on: all or none.
  Result<void> append(std::span<const DecisionToKeep> decisions, std::int64_t first);

 private:
  DecisionWriter(Connection segment, Statement put, Statement name, TextPacker packer, std::int64_t run)
      : segment_(std::move(segment)),
        put_(std::move(put)),
        name_(std::move(name)),
        packer_(std::move(packer)),
        run_(run) {}
  Result<void> put(const DecisionToKeep& decision, std::int64_t id);

  Connection segment_;
  Statement put_;
  Statement name_;
  TextPacker packer_;
  std::int64_t run_;
};

// [one thread at a time]
class FactWriter {
 public:
  static Result<FactWriter> open(Connection segment, std::int64_t run);
  // Appends the pieces that are not nullptr or empty: all or none. Returns their bytes, packed.
  Result<std::uint64_t> append(std::span<const KeptFacts* const> pieces);

 private:
  FactWriter(Connection segment, Statement put, std::int64_t run)
      : segment_(std::move(segment)), put_(std::move(put)), packer_(""), run_(run) {}

  Connection segment_;
  Statement put_;
  TextPacker packer_;
  std::int64_t run_;
};

}  // namespace gantry::store
