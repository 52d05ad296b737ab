// SPDX-License-Identifier: Apache-2.0
//
// The requests that were watched, by how they ended, for `gantry nova status`.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "core/encoding/json.hpp"
#include "core/nova/shadow/shadow_verdict.hpp"

namespace gantry::nova {

// A request whose end is known.
struct ShadowedRequest {
  std::string time;  // when it arrived, ISO 8601
  std::string request_id;
  std::string instance;  // the uuid of the first one
  std::string nova;      // the hosts, or "refused"
  std::string gantry;    // the same, of the first decision
  ShadowVerdict verdict;
  std::string file;  // the facts, if they are kept
};

// [any thread]
class ShadowTally {
 public:
  void note(ShadowedRequest request);
  // {"agreed": 3, ..., "causes": [{"cause", "requests"}], "differences": [{...}]}: the latest differences, the last one
  // first.
  json::object status() const;

 private:
  static constexpr std::size_t most_differences = 10;

  mutable std::mutex mutex_;
  std::array<std::uint64_t, agreements> counts_{};
  std::map<std::string, std::uint64_t> causes_;
  std::deque<ShadowedRequest> differences_;
};

}  // namespace gantry::nova
