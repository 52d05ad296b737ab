// SPDX-License-Identifier: Apache-2.0
//
// The cached results of the filters and weighers on each host for one class of requests. A decision recomputes only the
// hosts that have changed since the last one. Requests of one class are equal in everything that a filter or weigher
// reads (Borg calls this an equivalence class; Protean caches the results of its rules in the same way). The weights
// equal those of a decision over all hosts to the last bit: if the least or the greatest number of a weigher changes,
// all hosts are scored again.
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
  // The filters and weighers of one decision, made for a request of the class.
  struct judges {
    filtering& filters;
    weighing& weights;
    const std::uint64_t* complete;  // bitmap: hosts that have reported their capacity
    double* rooms;                  // scratch memory, as block::rooms
  };

  kept_class(std::uint32_t rows, std::size_t filters, std::size_t weighers);
  // Returns the size in bytes of the results for so many rows and weighers.
  static std::size_t bytes_for(std::uint32_t rows, std::size_t weighers);

  // Compute the results of all rows, or of the rows in `changed` only. Throw gantry::failure if a filter or weigher
  // throws, or if a number or weight is NaN. Destroy the object after a throw.
  void work_out_all(const judges& by);
  void work_out(const judges& by, std::span<const std::uint32_t> changed);

  std::uint32_t rows() const { return rows_; }
  std::size_t bytes() const { return bytes_for(rows_, raws_.size()); }
  // Returns how many hosts have reported their capacity. The filters judge only these hosts.
  std::uint64_t complete() const { return complete_; }
  // Returns how many hosts each filter rejects, in the order of the enabled filters.
  const std::vector<std::uint64_t>& rejected() const { return rejected_; }
  // Returns how many hosts pass all filters.
  std::uint64_t left() const { return left_; }
  const std::vector<std::uint64_t>& left_rows() const { return passed_; }  // bitmap of these hosts
  const std::vector<double>& weights() const { return totals_; }           // by row, valid for left_rows()
  // Returns for each block of block_rows rows the greatest weight among left_rows().
  const std::vector<double>& greatest_weights() const { return greatest_; }
  // The generation (gantry_view) of the view that the results were last computed from.
  std::uint64_t generation = 0;
  // The number of decisions that have reused the results instead of filtering all hosts.
  std::uint64_t uses = 0;

 private:
  // The least and the greatest raw number of one weigher among the hosts that passed.
  struct ends {
    extremes of{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    std::uint64_t at_low = 0;   // how many hosts have the least number
    std::uint64_t at_high = 0;  // how many hosts have the greatest number
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
  std::vector<std::uint8_t>
      verdicts_;  // by row: the index of the filter that rejects the host, or passed_host, or incomplete_host
  std::vector<std::uint64_t> rejected_;
  std::uint64_t complete_ = 0;
  std::uint64_t left_ = 0;
  std::vector<std::vector<double>> raws_;  // raw numbers by weigher and row. Empty for a weigher that gives each host 0
  std::vector<ends> ends_;
  std::vector<extremes> ranges_;  // by weigher: the extremes that totals_ were computed with
  std::vector<double> totals_;
  std::vector<double> greatest_;
};

}  // namespace filter_driver
