// SPDX-License-Identifier: Apache-2.0
#include "core/store/archive/archive_writer.hpp"

namespace gantry::store {

Result<SegmentTransaction> SegmentTransaction::begin(Connection& segment) {
  if (auto begun = segment.run("BEGIN IMMEDIATE"); !begun) return std::move(begun).error();
  return SegmentTransaction(segment);
}

SegmentTransaction::~SegmentTransaction() {
  if (segment_ == nullptr || !segment_->in_transaction()) return;
  // A failure here follows another one, which was told.
  [[maybe_unused]] const auto rolled_back = segment_->run("ROLLBACK");
}

Result<void> SegmentTransaction::commit() {
  return segment_->run("COMMIT");
}

Result<DecisionWriter> DecisionWriter::open(Connection segment, std::int64_t run) {
  auto sample = sample_of(segment);
  if (!sample) return std::move(sample).error();
  auto put = segment.prepare("INSERT INTO decisions VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  if (!put) return std::move(put).error();
  auto name = segment.prepare("INSERT OR IGNORE INTO names VALUES (?1, ?2)");
  if (!name) return std::move(name).error();
  return DecisionWriter(std::move(segment), *std::move(put), *std::move(name), TextPacker(*sample), run);
}

Result<void> DecisionWriter::append(std::span<const DecisionToKeep> decisions, std::int64_t first) {
  auto transaction = SegmentTransaction::begin(segment_);
  if (!transaction) return std::move(transaction).error();
  for (const auto& decision : decisions) {
    if (auto kept = put(decision, first++); !kept) return kept;
  }
  return transaction->commit();
}

Result<void> DecisionWriter::put(const DecisionToKeep& decision, std::int64_t id) {
  auto packed = packer_.pack(decision.record);
  if (!packed) return std::move(packed).error();
  auto done = put_.bind_integer(1, id);
  if (done) done = put_.bind_integer(2, decision.time);
  if (done) done = put_.bind_integer(3, run_);
  if (done) done = put_.bind_integer(4, static_cast<std::int64_t>(decision.moment));
  if (done) done = put_.bind_integer(5, decision.outcome);
  if (done) done = put_.bind_bytes(6, *packed);
  if (done) done = put_.run();
  for (const auto& name : decision.names) {
    if (done) done = name_.bind(1, name);
    if (done) done = name_.bind_integer(2, id);
    if (done) done = name_.run();
  }
  return done;
}

Result<FactWriter> FactWriter::open(Connection segment, std::int64_t run) {
  auto put = segment.prepare("INSERT INTO facts (run, first, last, begins_whole, bytes) VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!put) return std::move(put).error();
  return FactWriter(std::move(segment), *std::move(put), run);
}

Result<std::uint64_t> FactWriter::append(std::span<const KeptFacts* const> pieces) {
  auto transaction = SegmentTransaction::begin(segment_);
  if (!transaction) return std::move(transaction).error();
  std::uint64_t bytes = 0;
  for (const auto* piece : pieces) {
    if (piece == nullptr || piece->first_moment == 0) continue;
    auto packed = packer_.pack(piece->bytes);
    if (!packed) return std::move(packed).error();
    auto done = put_.bind_integer(1, run_);
    if (done) done = put_.bind_integer(2, static_cast<std::int64_t>(piece->first_moment));
    if (done) done = put_.bind_integer(3, static_cast<std::int64_t>(piece->last_moment));
    if (done) done = put_.bind_integer(4, piece->begins_whole ? 1 : 0);
    if (done) done = put_.bind_bytes(5, *packed);
    if (done) done = put_.run();
    if (!done) return std::move(done).error();
    bytes += packed->size();
  }
  if (auto committed = transaction->commit(); !committed) return std::move(committed).error();
  return bytes;
}

}  // namespace gantry::store
