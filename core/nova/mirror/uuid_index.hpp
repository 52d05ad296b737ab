// SPDX-License-Identifier: Apache-2.0
//
// The row of each uuid. A decision looks up the uuids of all hosts, so the texts lie side by side in one table, and a
// look-up touches one place of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gantry::nova {

class UuidIndex {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  // For up to so many uuids. All that was there is forgotten.
  void reset(std::size_t count) {
    std::size_t size = 16;
    while (size < count + count / 2) size *= 2;
    slots_.assign(size, Slot());
    others_.clear();
  }

  // False: the uuid is there already.
  bool insert(std::string_view uuid, std::uint32_t row) {
    if (uuid.size() != length) return others_.emplace(uuid, row).second;
    auto& slot = slots_[place_of(uuid)];
    if (slot.row != none) return false;
    std::memcpy(slot.text.data(), uuid.data(), length);
    slot.row = row;
    return true;
  }

  std::uint32_t find(std::string_view uuid) const {
    if (uuid.size() == length && !slots_.empty()) return slots_[place_of(uuid)].row;
    const auto other = others_.find(std::string(uuid));
    return other == others_.end() ? none : other->second;
  }

 private:
  static constexpr std::size_t length = 36;

  struct Slot {
    std::array<char, length> text;
    std::uint32_t row = none;
  };

  static std::uint64_t hash_of(std::string_view uuid) {
    std::uint64_t hash = 0;
    for (const std::size_t at : {0, 10, 19, 28}) {
      std::uint64_t part = 0;
      std::memcpy(&part, uuid.data() + at, sizeof(part));
      hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32U;
    }
    return hash;
  }

  // The slot of the uuid, or the free one that it would take.
  std::size_t place_of(std::string_view uuid) const {
    const auto mask = slots_.size() - 1;
    auto at = static_cast<std::size_t>(hash_of(uuid)) & mask;
    while (slots_[at].row != none && std::memcmp(slots_[at].text.data(), uuid.data(), length) != 0)
      at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;
  std::unordered_map<std::string, std::uint32_t> others_;  // names of another length
};

}  // namespace gantry::nova
