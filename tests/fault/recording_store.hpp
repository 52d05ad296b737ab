// SPDX-License-Identifier: Apache-2.0
//
// A store that passes everything on to the real one, and remembers what was loaded, submitted and answered.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/store/store.hpp"

namespace gantry::fault {

// Without the times of heartbeats, which no answer promises.
using Documents = std::map<std::pair<store::Kind, std::string>, std::string>;

void apply(const store::Batch& batch, Documents& documents);

class RecordingStore final : public store::Store {
 public:
  enum class Answer { none, kept, failed };
  struct Submitted {
    store::Batch batch;
    Answer answer = Answer::none;
  };

  explicit RecordingStore(std::unique_ptr<store::Store> real) : real_(std::move(real)) {}

  Result<void> load(store::Kind kind, const store::Visitor& visit) override;
  void submit(store::Batch batch, store::Done done, store::Undo undo) override;
  void undo_under(std::mutex* order) override { real_->undo_under(order); }
  void flush() override { real_->flush(); }
  std::optional<Error> fault() const override { return real_->fault(); }
  std::string describe() const override { return real_->describe(); }

  // Whether a change of that kind has been submitted and answered so.
  bool has(Answer answer, store::Kind kind) const;

  // What the store held when it was opened, as far as it has been loaded.
  const Documents& loaded() const { return loaded_; }
  // Once everything is answered.
  const std::vector<Submitted>& submitted() const { return submitted_; }

 private:
  std::unique_ptr<store::Store> real_;
  Documents loaded_;
  mutable std::mutex mutex_;
  std::vector<Submitted> submitted_;
};

}  // namespace gantry::fault
