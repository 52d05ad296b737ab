// SPDX-License-Identifier: Apache-2.0
//
// Immutable texts that many places share. Each text is one allocation, counts its references, and has a version that no
// other text of the process has. Reading and releasing a text is [any thread]. The pool is under the fleet's lock.
#pragma once

#include <atomic>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "gantry/driver.h"

namespace gantry::fleet {

// Returns a version for a text or a dictionary: 1, 2, 3 and so on, no number twice in the life of the process.
std::uint64_t next_version();

class Text;
using TextPointer = boost::intrusive_ptr<const Text>;

class Text {
 public:
  static TextPointer make(std::string_view text);

  std::string_view view() const { return {reinterpret_cast<const char*>(this + 1), size_}; }
  std::uint64_t version() const { return version_; }
  // Returns whether more than one TextPointer holds the text.
  bool shared() const { return references_.load(std::memory_order_relaxed) > 1; }

 private:
  explicit Text(std::uint32_t size) : size_(size), version_(next_version()) {}
  ~Text() = default;
  friend void intrusive_ptr_add_ref(const Text* text);
  friend void intrusive_ptr_release(const Text* text);

  mutable std::atomic<std::uint32_t> references_{0};
  std::uint32_t size_;
  std::uint64_t version_;
  // The characters follow in the same allocation.
};

void intrusive_ptr_add_ref(const Text* text);
void intrusive_ptr_release(const Text* text);

// Returns the characters of the text. Empty for a null pointer.
inline std::string_view view_of(const TextPointer& text) {
  return text ? text->view() : std::string_view();
}

inline std::string_view view_of(const gantry_string& text) {
  return {text.data, text.size};
}

// Keeps one Text for all equal texts. Now and then frees the texts that only the pool still holds.
class TextPool {
 public:
  // Returns the pool's Text with these characters. nullptr for the empty text.
  TextPointer intern(std::string_view text);
  std::size_t size() const { return texts_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    std::size_t operator()(const TextPointer& text) const { return (*this)(text->view()); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const TextPointer& a, const TextPointer& b) const { return a == b || a->view() == b->view(); }
    bool operator()(std::string_view a, const TextPointer& b) const { return a == b->view(); }
    bool operator()(const TextPointer& a, std::string_view b) const { return a->view() == b; }
  };
  void sweep();

  boost::unordered_flat_set<TextPointer, Hash, Equal> texts_;
  std::size_t sweep_at_ = 4096;  // number of texts at which unused texts are freed next
};

}  // namespace gantry::fleet
