// SPDX-License-Identifier: Apache-2.0
//
// A cache of verdicts. A verdict depends only on its key, a few numbers such as versions of documents or codes of
// texts. Hosts with equal keys share a verdict. The cache has 1,024 places for any number of hosts. The key determines
// the place, and a new verdict replaces the older verdict in the same place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace filter_driver {

class verdict_cache {
 public:
  // `width` is the number of numbers in a key.
  explicit verdict_cache(std::size_t width) : width_(width) {}

  // Returns the cached verdict of the key. If there is none, caches and returns the result of find(), a number below
  // 255. Caches nothing if find() throws.
  template <class Find>
  std::uint8_t at(std::span<const std::uint64_t> key, Find&& find) {
    if (verdicts_.empty()) make_room();
    const auto place = place_of(key);
    auto* const here = keys_.get() + place * width_;
    if (verdicts_[place] == unknown || !std::equal(key.begin(), key.end(), here)) {
      verdicts_[place] = unknown;
      const auto found = static_cast<std::uint8_t>(find());
      std::copy(key.begin(), key.end(), here);
      verdicts_[place] = found;
    }
    return verdicts_[place];
  }

 private:
  static constexpr std::size_t places = 1024;
  static constexpr std::uint8_t unknown = 255;

  void make_room() {
    keys_ = std::make_unique_for_overwrite<std::uint64_t[]>(places * width_);
    verdicts_.assign(places, unknown);
  }
  static std::size_t place_of(std::span<const std::uint64_t> key) {
    std::uint64_t mixed = 0;
    for (const auto number : key) {
      mixed = (mixed ^ number) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 32;
    }
    return mixed % places;
  }

  std::size_t width_;
  std::vector<std::uint8_t> verdicts_;
  std::unique_ptr<std::uint64_t[]> keys_;  // by place: the key of the verdict, `width_` numbers
};

}  // namespace filter_driver
