// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/shadow_facts.hpp"

#include "core/scheduling/state/state.hpp"

namespace gantry::nova {

std::shared_ptr<const fleet::Document> ShadowFacts::take(std::uint64_t changes) {
  const std::lock_guard lock(mutex_);
  if (auto latest = latest_.lock(); latest && changes == changes_) return latest;
  std::erase_if(alive_, [](const auto& document) { return document.expired(); });
  const auto began = Clock::now();
  if (began < not_before_ || alive_.size() >= most_alive) return nullptr;
  auto document = std::make_shared<const fleet::Document>(fleet_.document(scheduling::steady_nanoseconds()));
  const auto ended = Clock::now();
  constexpr int share = 10;
  not_before_ = ended + (share - 1) * (ended - began);
  latest_ = document;
  alive_.push_back(document);
  changes_ = changes;
  return document;
}

}  // namespace gantry::nova
