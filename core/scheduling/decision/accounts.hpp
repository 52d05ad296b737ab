// SPDX-License-Identifier: Apache-2.0
//
// What a driver says about single hosts of a decision: why each was chosen or refused. Collected as JSON text, up to a
// bound, because a large fleet has many hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

// The argument `explain`: false, true, "hosts" or "all_filters".
struct ExplainWish {
  bool decision = false;
  std::uint32_t accounts = GANTRY_ACCOUNTS_NONE;
};
Result<ExplainWish> read_explain(const json::object& args);

class Accounts {
 public:
  Accounts(std::uint32_t instances, std::size_t most_bytes) : instances_(instances), most_bytes_(most_bytes) {}

  // account.instance < `instances`. GANTRY_RESOURCE_EXHAUSTED: the bound is reached, and the host is only counted.
  gantry_code add(const gantry_account& account, std::string_view host, std::string_view node);

  // Appends [{"hosts": [...], "left_out": 0}, ...], one element per instance.
  void append_to(std::string& out) const;

 private:
  struct OfInstance {
    std::string hosts;  // the elements of the list
    std::uint64_t left_out = 0;
  };
  std::vector<OfInstance> instances_;
  const std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  bool is_full_ = false;
};

// Returns the record's text with a further member "instances". nullptr adds no member.
std::string with_accounts(const json::object& record, const Accounts* accounts);

}  // namespace gantry::scheduling
