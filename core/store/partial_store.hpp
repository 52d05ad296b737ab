// SPDX-License-Identifier: Apache-2.0
//
// A store that keeps some of what it is given in another store, and forgets the rest: for a service whose other facts
// are kept elsewhere.
#pragma once

#include <functional>
#include <memory>

#include "core/store/store.hpp"

namespace gantry::store {

class PartialStore final : public Store {
 public:
  // Returns whether the document is kept.
  using IsKept = bool (*)(Kind kind, std::string_view key);

  PartialStore(std::unique_ptr<Store> store, IsKept is_kept) : store_(std::move(store)), is_kept_(is_kept) {}

  Result<void> load(Kind kind, const Visitor& visit) override;
  void submit(Batch batch, Done done, Undo undo) override;
  void submit_behind(Batch batch, Done done, Undo undo) override;
  void undo_under(std::mutex* order) override { store_->undo_under(order); }
  void flush() override { store_->flush(); }
  void note_changes() override { store_->note_changes(); }
  Result<std::string> let_go() override { return store_->let_go(); }
  Result<void> take_back(std::chrono::steady_clock::time_point until) override { return store_->take_back(until); }
  Result<void> take_over(std::chrono::steady_clock::time_point until,
                         const std::optional<std::string>& noted) override {
    return store_->take_over(until, noted);
  }
  Result<void> load_changes(Kind kind, const ChangeVisitor& visit) override;
  bool keeps_everything() const override { return false; }
  std::optional<Error> fault() const override { return store_->fault(); }
  std::optional<Restored> restored() const override { return store_->restored(); }
  StoreTimes* times() override { return store_->times(); }
  std::string describe() const override { return store_->describe(); }

 private:
  void forget(Batch& batch) const;

  std::unique_ptr<Store> store_;
  IsKept is_kept_;
};

}  // namespace gantry::store
