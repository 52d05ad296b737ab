// SPDX-License-Identifier: Apache-2.0
//
// The outer loops that most drivers share: the two mandatory operations over something that places one instance, and a
// random choice among rows. A Placer has
//   gantry::code place(std::uint32_t instance);  // ok, no_valid_host or a failure
//   <text> reason() const;                       // why the last one was no_valid_host
#pragma once

#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/request.hpp>

#include <cstdint>
#include <string>

namespace gantry {

// For select_destinations: all instances or none.
template <class Placer>
code place_all(call& call, const request& request, Placer& placer) {
  for (std::uint32_t instance = 0; instance < request.instances(); ++instance) {
    if (call.should_stop())
      return call.fail(code::deadline_exceeded, "the deadline passed while instances were placed");
    const code code = placer.place(instance);
    if (code == code::no_valid_host) return call.fail(code, placer.reason());
    if (code != code::ok) return code;
  }
  return code::ok;
}

// For schedule_run_instance: each instance on its own; one that finds no host is refused with the reason.
template <class Placer>
code place_each(call& call, const request& request, Placer& placer) {
  for (std::uint32_t instance = 0; instance < request.instances(); ++instance) {
    if (call.should_stop())
      return call.fail(code::deadline_exceeded, "the deadline passed while instances were placed");
    code code = placer.place(instance);
    if (code == code::no_valid_host) code = call.refuse(instance, placer.reason());
    if (code != code::ok) return code;
  }
  return code::ok;
}

// Places instances on rows of a set at random, each row as likely, without limits. Several may land on one row.
class random_choice {
 public:
  // `rows` is changed: a row whose claim was lost leaves it.
  random_choice(call& call, bitmap rows) : call_(call), rows_(rows), left_(rows.count()) {}

  // Picks a row and offers that many others, each at most once. chosen() tells which it was.
  code place(std::uint32_t instance, std::uint32_t alternates) {
    while (left_ != 0) {
      chosen_ = rows_.nth(call_.random_below(left_));
      const code code = call_.pick(instance, chosen_);
      if (code == code::ok) return alternates == 0 ? code : offer(instance, alternates);
      if (code != code::claim_lost) return code;
      rows_.clear(chosen_);
      --left_;
    }
    return code::no_valid_host;
  }

  std::uint32_t chosen() const noexcept { return chosen_; }

 private:
  code offer(std::uint32_t instance, std::uint32_t alternates) {
    bitmap others = call_.empty_bitmap(rows_.rows());
    others.assign(rows_);
    others.clear(chosen_);
    for (std::uint64_t count = left_ - 1; alternates != 0 && count != 0; --alternates, --count) {
      const std::uint32_t row = others.nth(call_.random_below(count));
      const code code = call_.alternate(instance, row);
      if (code != code::ok) return code;
      others.clear(row);
    }
    return code::ok;
  }

  call& call_;
  bitmap rows_;
  std::uint64_t left_;
  std::uint32_t chosen_ = 0;
};

}  // namespace gantry
