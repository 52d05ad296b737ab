// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/histogram.hpp"

#include <algorithm>
#include <numeric>

namespace gantry::telemetry {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr std::int64_t nanoseconds_of_microsecond = 1'000;

std::size_t bucket_of(std::int64_t nanoseconds) {
  const auto at = std::ranges::find_if(
      Histogram::bounds, [nanoseconds](auto bound) { return nanoseconds <= bound * nanoseconds_of_microsecond; });
  return static_cast<std::size_t>(at - Histogram::bounds.begin());
}

}  // namespace

void Histogram::observe(Duration duration) noexcept {
  const auto nanoseconds = std::max<std::int64_t>(duration.count(), 0);
  counts_[bucket_of(nanoseconds)].fetch_add(1, relaxed);
  sum_.fetch_add(nanoseconds, relaxed);
  last_.store(nanoseconds, relaxed);
  auto longest = longest_.load(relaxed);
  while (longest < nanoseconds && !longest_.compare_exchange_weak(longest, nanoseconds, relaxed)) {
  }
}

Histogram::Reading Histogram::read() const noexcept {
  Reading reading;
  for (std::size_t i = 0; i < counts_.size(); ++i) reading.counts[i] = counts_[i].load(relaxed);
  reading.sum = Duration(sum_.load(relaxed));
  reading.last = Duration(last_.load(relaxed));
  reading.longest = Duration(longest_.load(relaxed));
  return reading;
}

void Histogram::forget_extremes() noexcept {
  last_.store(0, relaxed);
  longest_.store(0, relaxed);
}

std::uint64_t Histogram::Reading::count() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

Histogram::Duration Histogram::Reading::mean() const {
  const auto all = count();
  return all == 0 ? Duration(0) : sum / static_cast<std::int64_t>(all);
}

Histogram::Duration Histogram::Reading::quantile(double part) const {
  const auto all = count();
  if (all == 0) return Duration(0);
  const double wanted = part * static_cast<double>(all);
  std::uint64_t below = 0;
  std::int64_t lower = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto upper = bounds[i] * nanoseconds_of_microsecond;
    if (counts[i] != 0 && static_cast<double>(below + counts[i]) >= wanted) {
      const double share = std::max(wanted - static_cast<double>(below), 0.0) / static_cast<double>(counts[i]);
      const auto found = lower + static_cast<std::int64_t>(share * static_cast<double>(upper - lower));
      return longest.count() > 0 ? std::min(Duration(found), longest) : Duration(found);
    }
    below += counts[i];
    lower = upper;
  }
  return std::max(longest, Duration(lower));
}

Histogram::Reading Histogram::Reading::since(const Reading& before) const {
  Reading difference = *this;
  for (std::size_t i = 0; i < counts.size(); ++i) difference.counts[i] -= std::min(counts[i], before.counts[i]);
  difference.sum = std::max(sum - before.sum, Duration(0));
  return difference;
}

}  // namespace gantry::telemetry
