// SPDX-License-Identifier: Apache-2.0
#include "recording_store.hpp"

#include <algorithm>

namespace gantry::fault {

void apply(const store::Batch& batch, Documents& documents) {
  for (const auto& change : batch) {
    if (change.kind == store::Kind::heartbeat) continue;
    if (change.document)
      documents[{change.kind, change.key}] = *change.document;
    else
      documents.erase({change.kind, change.key});
  }
}

bool RecordingStore::has(Answer answer, store::Kind kind) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(submitted_.begin(), submitted_.end(), [answer, kind](const Submitted& entry) {
    return entry.answer == answer && std::any_of(entry.batch.begin(), entry.batch.end(),
                                                 [kind](const auto& change) { return change.kind == kind; });
  });
}

Result<void> RecordingStore::load(store::Kind kind, const store::Visitor& visit) {
  return real_->load(kind, [&](std::string_view key, std::string_view document) {
    if (kind != store::Kind::heartbeat) loaded_[{kind, std::string(key)}] = document;
    return visit(key, document);
  });
}

void RecordingStore::submit(store::Batch batch, store::Done done, store::Undo undo) {
  // The manager submits under its own lock, so that both have the same order.
  std::unique_lock lock(mutex_);
  const auto index = submitted_.size();
  submitted_.push_back({batch, Answer::none});
  lock.unlock();
  real_->submit(
      std::move(batch),
      [this, index, done = std::move(done)](Result<void> result) {
        {
          const std::lock_guard answered(mutex_);
          submitted_[index].answer = result ? Answer::kept : Answer::failed;
        }
        if (done) done(std::move(result));
      },
      std::move(undo));
}

}  // namespace gantry::fault
