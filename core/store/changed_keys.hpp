// SPDX-License-Identifier: Apache-2.0
//
// Which documents a process has changed since a moment, for the process that takes the store over: it compares these
// alone with what it has read.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/store.hpp"

namespace gantry::store {

class ChangedKeys {
 public:
  // Returns those of a text() of this or another version of the program. nullopt: the text does not name them all.
  static std::optional<ChangedKeys> parse(std::string_view text);

  void add(const Batch& batch);
  // Returns them as text. Empty: they have become too many to be named.
  std::string text() const;
  // Returns the keys of a kind, in their order and each once.
  std::vector<std::string> of(Kind kind) const;

 private:
  static constexpr std::size_t kinds = static_cast<std::size_t>(Kind::heartbeat) + 1;

  std::array<std::vector<std::string>, kinds> keys_;
  std::size_t count_ = 0;
};

}  // namespace gantry::store
