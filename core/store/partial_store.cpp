// SPDX-License-Identifier: Apache-2.0
#include "core/store/partial_store.hpp"

namespace gantry::store {

Result<void> PartialStore::load(Kind kind, const Visitor& visit) {
  return store_->load(kind, [&](std::string_view key, std::string_view document) {
    return is_kept_(kind, key) ? visit(key, document) : Result<void>();
  });
}

Result<void> PartialStore::load_changes(Kind kind, const ChangeVisitor& visit) {
  return store_->load_changes(kind, [&](std::string_view key, std::optional<std::string_view> document) {
    return is_kept_(kind, key) ? visit(key, document) : Result<void>();
  });
}

void PartialStore::submit(Batch batch, Done done, Undo undo) {
  forget(batch);
  store_->submit(std::move(batch), std::move(done), std::move(undo));
}

void PartialStore::submit_behind(Batch batch, Done done, Undo undo) {
  forget(batch);
  store_->submit_behind(std::move(batch), std::move(done), std::move(undo));
}

void PartialStore::forget(Batch& batch) const {
  std::erase_if(batch, [this](const Change& change) { return !is_kept_(change.kind, change.key); });
}

}  // namespace gantry::store
