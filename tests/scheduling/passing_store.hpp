// SPDX-License-Identifier: Apache-2.0
//
// A store that passes each call on to another store. Tests override the call that they watch or delay.
#pragma once

#include <memory>
#include <utility>

#include "core/store/store.hpp"

namespace gantry::scheduling {

class PassingStore : public store::Store {
 public:
  explicit PassingStore(std::unique_ptr<store::Store> store) : store_(std::move(store)) {}

  Result<void> load(store::Kind kind, const store::Visitor& visit) override { return store_->load(kind, visit); }
  void submit(store::Batch batch, store::Done done, store::Undo undo) override {
    store_->submit(std::move(batch), std::move(done), std::move(undo));
  }
  Result<std::vector<store::Document>> read(store::Kind kind, std::string_view from, std::size_t limit) override {
    return store_->read(kind, from, limit);
  }
  void undo_under(std::mutex* order) override { store_->undo_under(order); }
  void flush() override { store_->flush(); }
  std::optional<Error> fault() const override { return store_->fault(); }
  std::optional<store::Restored> restored() const override { return store_->restored(); }
  std::string describe() const override { return store_->describe(); }

 private:
  std::unique_ptr<store::Store> store_;
};

}  // namespace gantry::scheduling
