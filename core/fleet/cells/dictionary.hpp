// SPDX-License-Identifier: Apache-2.0
//
// The texts behind the codes of one STRING column. Codes are only added, so that a pinned copy reads the array that it
// took while new codes are appended. Once half of the codes are unused, all are renumbered under a new version. Changes
// under the fleet's lock. A DictionaryArray that a copy holds is [any thread] up to the count that it took.
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

// One array of strings. The longer array that replaces it shares the texts.
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

  // Returns the text's code and counts one more use.
  std::uint32_t acquire(std::string_view text);
  // Counts one use less. Code 0 is the empty text of rows without a value, whose uses are not counted.
  void release(std::uint32_t code);

  // Returns whether enough codes are unused for a rebuild to pay.
  bool wasteful() const;
  // Renumbers the used codes in their order. Returns the new code for each old one, 0 for unused ones.
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
