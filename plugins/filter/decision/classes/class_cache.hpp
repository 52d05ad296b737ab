// SPDX-License-Identifier: Apache-2.0
//
// The classes of requests that came last, with what is kept of each, within a bound of memory. A decision takes what it
// uses out and puts it back: no two use the same, and none waits for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decision/classes/kept_class.hpp"

namespace filter_driver {

// [any thread]
class class_cache {
 public:
  // `most_bytes` 0: nothing is kept.
  explicit class_cache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  struct taken {
    std::unique_ptr<kept_class> kept;  // nullptr: there is none, or it is in use
    bool is_worth_it = false;          // to work it out where there is none, and to keep it
  };
  // Of a class whose hosts need that many bytes.
  taken take(const std::string& key, std::size_t bytes);
  void put(const std::string& key, std::unique_ptr<kept_class> kept);
  // What was taken is forgotten: more has changed since than pays. Where it was never of use, so many more requests of the
  // class have to come before it is worked out again, twice as many each time.
  void spoil(const std::string& key, const kept_class& kept);

 private:
  struct entry {
    std::string key;
    std::vector<std::unique_ptr<kept_class>> idle;  // the latest used last
    unsigned in_vain = 0;                           // how often it was worked out and of no use, in a row
    std::uint64_t waits = 1;                        // requests to come before it is worked out
  };

  void forget_surplus();

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<entry> entries_;  // the latest asked for first
  std::unordered_map<std::string_view, std::list<entry>::iterator> by_key_;
  std::size_t bytes_ = 0;  // of what is idle
};

}  // namespace filter_driver
