// SPDX-License-Identifier: Apache-2.0
//
// What a rule makes of a nested value alone: made once for each value that a candidate has, for one request.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "host_table.hpp"

namespace filter_driver {

template <class Value>
class value_by_document {
 public:
  // `column`, which may be nullptr (null in each row), outlives this.
  explicit value_by_document(const document_column* column) : column_(column) {}

  // make(document, row) where it is not known yet.
  template <class Make>
  Value at(std::uint32_t row, Make&& make) {
    static const boost::json::value null;
    if (column_ == nullptr) return make(null, row);
    const auto identity = column_->identity(row);
    if (identity == 0) return make(column_->at(row), row);
    if (identity == last_) return value_;
    const auto found = known_.find(identity);
    value_ =
        found != known_.end() ? found->second : known_.emplace(identity, make(column_->at(row), row)).first->second;
    last_ = identity;
    return value_;
  }

 private:
  const document_column* column_;
  std::unordered_map<std::uint64_t, Value> known_;
  std::uint64_t last_ = 0;  // rows beside each other often have the same
  Value value_{};
};

}  // namespace filter_driver
