// SPDX-License-Identifier: Apache-2.0
//
// A cache of results for the most recently used request classes, within a memory limit. A decision takes a result out
// of the cache and puts it back afterwards. So two decisions never share a result, and none waits for another.
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
  // `most_bytes` limits the memory of the idle results. 0 turns the cache off.
  explicit class_cache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  struct taken {
    std::unique_ptr<kept_class> kept;  // nullptr if the cache has none, or if it is in use
    bool is_worth_it = false;          // computing a missing result and caching it pays off
  };
  // Takes a result of the class. `bytes` is the size that a result of the class has.
  taken take(const std::string& key, std::size_t bytes);
  void put(const std::string& key, std::unique_ptr<kept_class> kept);
  // Call it before dropping a taken result because too many hosts have changed since. If the result was never reused,
  // the cache waits for more requests of the class before it is computed again, about twice as many each time.
  void spoil(const std::string& key, const kept_class& kept);

 private:
  struct entry {
    std::string key;
    std::vector<std::unique_ptr<kept_class>> idle;  // the most recently used is last
    unsigned in_vain = 0;                           // how many results in a row were never reused
    std::uint64_t waits = 1;                        // requests to wait for before a result is computed
  };

  void forget_surplus();

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<entry> entries_;  // the most recently used is first
  std::unordered_map<std::string_view, std::list<entry>::iterator> by_key_;
  std::size_t bytes_ = 0;  // memory of all idle results
};

}  // namespace filter_driver
