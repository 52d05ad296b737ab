// SPDX-License-Identifier: Apache-2.0
//
// Immutable texts that many places share: one allocation each, counted references, and a version that no other text of
// the process has. Reading and releasing: [any thread]. The pool: under the fleet's lock.
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

// Numbers that are never given twice in the life of the process, from 1: versions of texts and dictionaries.
std::uint64_t next_version();

class Text;
using TextPointer = boost::intrusive_ptr<const Text>;

class Text {
 public:
  static TextPointer make(std::string_view text);

  std::string_view view() const { return {reinterpret_cast<const char*>(this + 1), size_}; }
  std::uint64_t version() const { return version_; }
  bool shared() const { return references_.load(std::memory_order_relaxed) > 1; }

 private:
  explicit Text(std::uint32_t size) : size_(size), version_(next_version()) {}
  ~Text() = default;
  friend void intrusive_ptr_add_ref(const Text* text);
  friend void intrusive_ptr_release(const Text* text);

  mutable std::atomic<std::uint32_t> references_{0};
  std::uint32_t size_;
  std::uint64_t version_;
  // The characters follow.
};

void intrusive_ptr_add_ref(const Text* text);
void intrusive_ptr_release(const Text* text);

// The text, or the empty one for a null pointer.
inline std::string_view view_of(const TextPointer& text) {
  return text ? text->view() : std::string_view();
}

inline std::string_view view_of(const gantry_string& text) {
  return {text.data, text.size};
}

// Equal texts become one. Forgets those that nobody else holds, now and then.
class TextPool {
 public:
  // nullptr for the empty text.
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
  std::size_t sweep_at_ = 4096;
};

}  // namespace gantry::fleet
