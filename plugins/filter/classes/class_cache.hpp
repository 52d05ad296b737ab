// SPDX-License-Identifier: Apache-2.0
//
// The classes of requests that came last, with what is kept of each, within a bound of memory. A decision takes what it
// uses out and puts it back: no two use the same, and none waits for another.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classes/kept_class.hpp"

namespace filter_driver {

// [any thread]
class class_cache {
 public:
  // `most_bytes` 0: nothing is kept.
  explicit class_cache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  struct taken {
    std::unique_ptr<kept_class> kept;  // nullptr: there is none, or it is in use
    bool is_known = false;             // a request of the class came before: what is worked out for it is worth keeping
  };
  // Of a class whose hosts need that many bytes.
  taken take(const std::string& key, std::size_t bytes);
  void put(const std::string& key, std::unique_ptr<kept_class> kept);

 private:
  struct entry {
    std::string key;
    std::vector<std::unique_ptr<kept_class>> idle;  // the latest used last
  };

  void forget_surplus();

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<entry> entries_;  // the latest asked for first
  std::unordered_map<std::string_view, std::list<entry>::iterator> by_key_;
  std::size_t bytes_ = 0;  // of what is idle
};

}  // namespace filter_driver
