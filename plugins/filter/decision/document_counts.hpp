// SPDX-License-Identifier: Apache-2.0
//
// How many instances of a request the documents of hosts take, kept from call to call. Documents are known by their
// identities, so that only hosts whose documents have changed are counted again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace filter_driver {

// [any thread]
class document_counts {
 public:
  // Identities of a row's NUMA topology and PCI pools, and its ratios. Rows with equal keys take equally many.
  using key = std::array<std::uint64_t, 4>;

  struct counted {
    double count = 0;
    bool is_whole = false;  // false: the row may take more
  };

  // `request` stands for everything else that the count depends on.
  std::optional<counted> find(const std::string& request, const key& row) const;
  void put(const std::string& request, const key& row, const counted& found);

 private:
  // All are dropped when there are more. Old documents are never asked for again.
  static constexpr std::size_t most = 1'000'000;

  mutable std::mutex mutex_;
  std::map<std::string, std::map<key, counted>> known_;
  std::size_t size_ = 0;
};

}  // namespace filter_driver
