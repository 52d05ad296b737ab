// SPDX-License-Identifier: Apache-2.0
//
// Verdicts that depend on a few numbers alone (identities of documents, codes of texts, numbers themselves): the latest
// thousand are kept, so that hosts which are equal in these share one. Its room does not grow with the hosts.
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
  // Keys have `width` numbers each.
  explicit verdict_cache(std::size_t width) : width_(width) {}

  // The verdict known for the key, or that of find(), which is kept unless it throws.
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
  std::unique_ptr<std::uint64_t[]> keys_;  // of verdicts that are known
};

}  // namespace filter_driver
