// SPDX-License-Identifier: Apache-2.0
//
// The texts behind the codes of one STRING column: a cell's code is an index into an array of texts. New codes are only
// appended, which leaves the array of a pinned copy intact. Once more than half of the codes are unused, the dictionary
// renumbers the rest under a new version. Changes under the fleet's lock. Reading a DictionaryArray is [any thread], up
// to the count() of the time when the array was taken.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/fleet/cells/cell_memory.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

// The characters of a dictionary's texts, in blocks of memory that never move.
class TextBlocks {
 public:
  std::string_view add(std::string_view text);

 private:
  std::vector<std::unique_ptr<char[], FreeCells>> blocks_;
  std::size_t used_ = 0;
  std::size_t size_ = 0;
};

// The texts by code, in an array of fixed capacity. A full array is replaced by a longer one, which shares the
// characters.
struct DictionaryArray {
  DictionaryArray(std::shared_ptr<TextBlocks> texts_of_it, std::uint32_t room, std::uint64_t its_version)
      : texts(std::move(texts_of_it)), strings(room), capacity(room), version(its_version) {}

  std::shared_ptr<TextBlocks> texts;
  std::vector<gantry_string, CellAllocator<gantry_string>> strings;
  std::uint32_t capacity;
  std::uint64_t version;
};

class Dictionary {
 public:
  Dictionary();

  // Returns the code of a text and counts one more use. Adds a code if the text has none.
  std::uint32_t acquire(std::string_view text);
  // Counts one use less of a code. Code 0 is the empty text, which null cells have too. Its uses are not counted.
  void release(std::uint32_t code);

  // Returns whether enough codes are unused for rebuild() to pay.
  bool wasteful() const;
  // Renumbers the used codes, keeping their order. Returns a list of new codes by old code, with 0 for unused codes.
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
