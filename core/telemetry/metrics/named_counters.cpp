// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/named_counters.hpp"

#include <algorithm>
#include <functional>
#include <memory>

namespace gantry::telemetry {

NamedCounters::~NamedCounters() {
  for (auto& slot : slots_) const std::unique_ptr<const std::string> freed(slot.name.load());
}

void NamedCounters::add(std::string_view name, std::uint64_t amount) {
  auto* const slot = name.empty() ? nullptr : slot_of(name.substr(0, longest_name));
  (slot == nullptr ? others_ : slot->value).fetch_add(amount, std::memory_order_relaxed);
}

NamedCounters::Slot* NamedCounters::slot_of(std::string_view name) {
  const auto first = std::hash<std::string_view>()(name);
  std::unique_ptr<const std::string> made;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto& slot = slots_[(first + i) % slots_.size()];
    const auto* known = slot.name.load(std::memory_order_acquire);
    if (known == nullptr) {
      if (!made) {
        if (names_.fetch_add(1, std::memory_order_relaxed) >= most_names) {
          names_.fetch_sub(1, std::memory_order_relaxed);
          return nullptr;
        }
        made = std::make_unique<const std::string>(name);
      }
      if (slot.name.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) {
        static_cast<void>(made.release());  // the slot's now
        return &slot;
      }
    }
    if (known != nullptr && *known == name) {
      if (made) names_.fetch_sub(1, std::memory_order_relaxed);
      return &slot;
    }
  }
  return nullptr;
}

std::vector<std::pair<std::string, std::uint64_t>> NamedCounters::read() const {
  std::vector<std::pair<std::string, std::uint64_t>> found;
  for (const auto& slot : slots_) {
    if (const auto* name = slot.name.load(std::memory_order_acquire))
      found.emplace_back(*name, slot.value.load(std::memory_order_relaxed));
  }
  if (const auto others = others_.load(std::memory_order_relaxed); others != 0) {
    const auto same = std::ranges::find(found, other, &std::pair<std::string, std::uint64_t>::first);
    if (same != found.end())
      same->second += others;
    else
      found.emplace_back(other, others);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace gantry::telemetry
