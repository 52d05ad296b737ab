// SPDX-License-Identifier: Apache-2.0
//
// Values read from hosts' documents, kept from request to request by the documents' identities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "hosts/host_table.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// [any thread]
template <class Value>
class read_cache {
 public:
  // No value: Python's None.
  using reading = outcome<std::optional<Value>>;
  using reader = reading (*)(const boost::json::value&);

  // `read` gives the same for the same document.
  explicit read_cache(reader read) : read_(read), none_(std::make_shared<const reading>(std::optional<Value>())) {}

  // nullptr: no host has such documents.
  std::shared_ptr<const reading> find(const document_column* column, std::uint32_t row) {
    if (column == nullptr) return none_;
    const std::uint64_t identity = column->identity(row);
    if (identity != 0) {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(identity); found != known_.end()) return found->second;
    }
    auto made = std::make_shared<const reading>(read_(column->at(row)));
    if (identity == 0) return made;
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_kept) known_.clear();
    return known_.emplace(identity, std::move(made)).first->second;
  }

 private:
  // Beyond it all are forgotten: versions come and go with the hosts' reports.
  static constexpr std::size_t most_kept = 2'000'000;

  reader read_;
  std::shared_ptr<const reading> none_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<const reading>> known_;
};

}  // namespace filter_driver
