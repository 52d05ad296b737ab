// SPDX-License-Identifier: Apache-2.0
//
// What the filters and weighers say of each host to one class of requests, kept from decision to decision: of the hosts
// that have changed since it is worked out anew. Requests of a class differ in nothing that a filter or weigher reads
// (an equivalence class of Borg; Protean keeps its rules' results in the same way). The weights are those that a decision
// over all hosts gives, to the last bit: where a weigher's extremes move, each host is scored again.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rules/filtering.hpp"
#include "rules/weighing.hpp"

namespace filter_driver {

class kept_class {
 public:
  // Those of one decision, made for a request of the class. `rooms` as in block.
  struct judges {
    filtering& filters;
    weighing& weights;
    const std::uint64_t* complete;  // bitmap: hosts that can be judged at all
    double* rooms;
  };

  kept_class(std::uint32_t rows, std::size_t filters, std::size_t weighers);
  static std::size_t bytes_for(std::uint32_t rows, std::size_t weighers);

  // Throw gantry::failure as a decision over all hosts does; what is kept is worth nothing then.
  void work_out_all(const judges& by);
  void work_out(const judges& by, std::span<const std::uint32_t> changed);

  std::uint32_t rows() const { return rows_; }
  std::size_t bytes() const { return bytes_for(rows_, raws_.size()); }
  std::uint64_t complete() const { return complete_; }
  // How many hosts each filter has taken out.
  const std::vector<std::uint64_t>& rejected() const { return rejected_; }
  std::uint64_t left() const { return left_; }
  const std::vector<std::uint64_t>& left_rows() const { return passed_; }  // a bitmap
  const std::vector<double>& weights() const { return totals_; }           // of those that are left
  // Of each block_rows rows the greatest weight of those that are left.
  const std::vector<double>& greatest_weights() const { return greatest_; }
  // Of the topic's view as it was when this was last brought up to date.
  std::uint64_t generation = 0;
  // How many decisions it has spared going through all hosts.
  std::uint64_t uses = 0;

 private:
  struct ends {
    extremes of{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    std::uint64_t at_low = 0;  // how many hosts have it
    std::uint64_t at_high = 0;
  };

  void judge(const judges& by, std::uint32_t first, std::uint32_t count, const std::uint64_t* which);
  void forget(std::uint32_t row);
  void reject(std::uint32_t first, std::uint32_t word, std::uint64_t rows, std::uint8_t by);
  void weigh(const judges& by, const block& here);
  void note(ends& seen, double raw);
  void find_ends(std::size_t weigher);
  bool move_ranges(weighing& weights);
  void score(weighing& weights, std::uint32_t first, std::uint32_t count);
  void find_greatest(std::uint32_t block_index);

  std::uint32_t rows_;
  std::vector<std::uint64_t> passed_;
  std::vector<std::uint8_t> verdicts_;  // of each row: the filter that has taken it out, or one of those in the source
  std::vector<std::uint64_t> rejected_;
  std::uint64_t complete_ = 0;
  std::uint64_t left_ = 0;
  std::vector<std::vector<double>> raws_;  // of each weigher; empty: all weigh 0
  std::vector<ends> ends_;
  std::vector<extremes> ranges_;  // by which totals_ were made
  std::vector<double> totals_;
  std::vector<double> greatest_;
};

}  // namespace filter_driver
