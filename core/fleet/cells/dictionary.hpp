// SPDX-License-Identifier: Apache-2.0
//
// What the codes of one STRING column mean. Codes are only ever added, so a pinned copy reads the array that it took
// while new codes come behind it; once half of the codes are unused, all are given anew under another version.
// Changes under the fleet's lock; a DictionaryArray that a copy holds: [any thread] up to the count that it took.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gantry/driver.h"

namespace gantry::fleet {

// The texts of one version, in blocks that never move.
class TextBlocks {
 public:
  std::string_view add(std::string_view text);

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0;
  std::size_t size_ = 0;
};

// One array of strings; a longer one that follows it shares the texts.
struct DictionaryArray {
  DictionaryArray(std::shared_ptr<TextBlocks> texts_of_it, std::uint32_t room, std::uint64_t its_version)
      : texts(std::move(texts_of_it)),
        strings(std::make_unique<gantry_string[]>(room)),
        capacity(room),
        version(its_version) {}

  std::shared_ptr<TextBlocks> texts;
  std::unique_ptr<gantry_string[]> strings;
  std::uint32_t capacity;
  std::uint64_t version;
};

class Dictionary {
 public:
  Dictionary();

  // The text's code, with one use more.
  std::uint32_t acquire(std::string_view text);
  // One use less. Code 0 is the empty text, which rows without a value have; it needs no uses.
  void release(std::uint32_t code);

  // Whether unused codes are so many that a rebuild pays.
  bool wasteful() const;
  // Gives codes anew, in order of the old ones. The answer maps old codes to new ones (unused ones to 0).
  std::vector<std::uint32_t> rebuild();

  std::string_view text(std::uint32_t code) const;
  std::uint32_t count() const { return static_cast<std::uint32_t>(uses_.size()); }
  std::uint64_t version() const { return array_->version; }
  std::shared_ptr<const DictionaryArray> array() const { return array_; }

 private:
  std::uint32_t add(std::string_view text, std::uint32_t uses);
  void start(std::uint32_t room);

  std::shared_ptr<DictionaryArray> array_;
  std::vector<std::uint32_t> uses_;
  std::uint32_t unused_ = 0;
  boost::unordered_flat_map<std::string_view, std::uint32_t, std::hash<std::string_view>> codes_;
};

}  // namespace gantry::fleet
