// SPDX-License-Identifier: Apache-2.0
#include "decision/host_terms.hpp"

#include <algorithm>
#include <utility>

#include "rules/count_rows.hpp"

namespace filter_driver {

host_terms::host_terms(const std::vector<weighing::entry>& enabled, const question& asked,
                       std::vector<std::uint64_t> left, const std::vector<std::uint32_t>& wanted)
    : weights_(enabled, asked) {
  if (!weights_.weighs(count_rows(left))) return;
  const auto total = asked.hosts.rows;
  std::vector<double> rooms(block::room_count * block_rows);
  for (std::uint32_t first = 0; first < total; first += block_rows) {
    const block here{first, std::min(block_rows, total - first), left.data() + first / 64, rooms.data()};
    if (std::any_of(here.rows, here.rows + here.words(), [](std::uint64_t word) { return word != 0; }))
      weights_.observe(here);
  }
  weights_.observe_whole(left, total, rooms.data());
  read(wanted, total);
}

void host_terms::read(std::vector<std::uint32_t> wanted, std::uint32_t total) {
  auto& steps = weights_.steps();
  std::sort(wanted.begin(), wanted.end());
  raws_.resize(wanted.size() * steps.size());
  place_.reserve(wanted.size());
  std::vector<double> rooms(block::room_count * block_rows);
  std::vector<double> numbers(block_rows);
  std::vector<std::uint64_t> here(block_rows / 64);
  for (std::size_t begin = 0, end = 0; begin < wanted.size(); begin = end) {
    const auto first = wanted[begin] / block_rows * block_rows;
    std::fill(here.begin(), here.end(), 0);
    for (end = begin; end < wanted.size() && wanted[end] - first < block_rows; ++end) {
      const auto bit = wanted[end] - first;
      here[bit / 64] |= std::uint64_t{1} << (bit % 64);
      place_[wanted[end]] = end * steps.size();
    }
    const block rows{first, std::min(block_rows, total - first), here.data(), rooms.data()};
    for (std::size_t step = 0; step < steps.size(); ++step) {
      steps[step].raw(rows, numbers.data());
      for (auto at = begin; at < end; ++at) raws_[at * steps.size() + step] = numbers[wanted[at] - first];
    }
  }
}

void host_terms::of(std::uint32_t row, std::vector<gantry::term>& into) {
  const auto place = place_.find(row);
  if (place == place_.end()) return;
  auto& steps = weights_.steps();
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const double raw = raws_[place->second + step];
    into.emplace_back(steps[step].rule().name, raw, normalised(raw, steps[step].range()),
                      steps[step].multiplier()[row]);
  }
}

}  // namespace filter_driver
