// SPDX-License-Identifier: Apache-2.0
#include "core/conformance/run/fuzz.hpp"

#include <chrono>

namespace gantry::conformance {
namespace {

Result<Outcome> run_one(Settings settings, const Rule& rule, std::uint64_t seed) {
  settings.chosen = {&rule};
  settings.seed = seed;
  settings.exemptions.clear();
  auto outcomes = run_rules(settings);
  if (!outcomes) return std::move(outcomes).error();
  return std::move(outcomes->front());
}

}  // namespace

Result<Fuzzed> run_fuzz(const Settings& settings, std::chrono::milliseconds time) {
  const std::uint32_t seeds = fuzz_batch().seeds;
  const auto until = std::chrono::steady_clock::now() + time;
  Fuzzed result;
  for (std::uint64_t seed = settings.seed; std::chrono::steady_clock::now() < until; seed += seeds) {
    auto batch = run_one(settings, fuzz_batch(), seed);
    if (!batch) return std::move(batch).error();
    result.cases += seeds;
    if (batch->verdict.state != State::failed) continue;
    // One of the batch's cases alone is what repeats the finding; if none does, the batch is.
    result.finding = *std::move(batch);
    for (std::uint64_t each = seed; each < seed + seeds; ++each) {
      auto one = run_one(settings, fuzz(), each);
      if (!one) return std::move(one).error();
      if (one->verdict.state != State::failed) continue;
      result.finding = *std::move(one);
      break;
    }
    return result;
  }
  return result;
}

}  // namespace gantry::conformance
