// SPDX-License-Identifier: Apache-2.0
//
// Many clients for the last slots of small fleets: rounds of decisions, releases and reports at once, each round ended
// by a look at whether any slot was given twice or is lost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::reliability {

struct Reply {
  bool ok = false;
  json::value result;
  std::string code;
  std::string message;
};

// A call from one thread; key: idempotency, empty for none.
using Ask = std::function<Reply(const std::string& method, const json::object& args, const std::string& key)>;
// Makes the Ask of one more thread. [any thread]
using Connect = std::function<Ask()>;

struct RaceSettings {
  std::uint64_t decisions = 2000;
  std::uint64_t seed = 1;
  std::size_t threads = 6;
};

struct RaceResult {
  std::uint64_t decisions = 0;
  std::uint64_t placed = 0;
  std::uint64_t refused = 0;
  std::uint64_t lost_races = 0;
  std::vector<std::string> over_limits;
  std::vector<std::string> unusable;  // slots that nobody holds and nobody gets
  std::vector<std::string> wrong;     // answers that cannot be
  std::string table;
};

RaceResult run_race(const RaceSettings& settings, const Connect& connect);

}  // namespace gantry::reliability
