// SPDX-License-Identifier: Apache-2.0
//
// A cache of results (kept_class) for the most recently used classes of requests (request_class.hpp), within a memory
// limit. A decision takes a result out of the cache and puts it back afterwards. So two decisions never share a result,
// and none waits for another.
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
  // `most_bytes` limits the memory of the idle results: those that no decision has taken out. 0 turns the cache off.
  explicit class_cache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // The answer of take().
  struct taken {
    std::unique_ptr<kept_class> kept;  // nullptr if the cache has no idle result of the class
    // True: use `kept`. If it is nullptr, compute a result and put() it into the cache. False: decide without the
    // cache.
    bool is_worth_it = false;
  };
  // Takes a result of the class with that key out of the cache. `bytes` is the size of one result
  // (kept_class::bytes_for).
  taken take(const std::string& key, std::size_t bytes);
  // Gives a result to the cache. Destroys it if the class has been evicted in the meantime.
  void put(const std::string& key, std::unique_ptr<kept_class> kept);
  // Tells the cache that a taken result will be destroyed, because too many hosts have changed since its last update.
  // If the result was never reused, take() answers the next requests of the class with is_worth_it = false. The number
  // of these requests about doubles with each result that was never reused.
  void spoil(const std::string& key, const kept_class& kept);

 private:
  // One class of requests.
  struct entry {
    std::string key;
    std::vector<std::unique_ptr<kept_class>> idle;  // the most recently used is last
    unsigned in_vain = 0;                           // how many spoiled results in a row were never reused, at most 10
    std::uint64_t waits = 1;                        // requests that take() still answers with is_worth_it = false
  };

  void forget_surplus();

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<entry> entries_;  // the most recently used is first
  std::unordered_map<std::string_view, std::list<entry>::iterator> by_key_;
  std::size_t bytes_ = 0;  // memory of all idle results
};

}  // namespace filter_driver
