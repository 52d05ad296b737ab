// SPDX-License-Identifier: Apache-2.0
//
// The loops that most drivers share: the two mandatory operations, and a random choice among rows. The operations call
// a Placer, which is a class of the driver that places one instance. A Placer has
//   gantry::code place(std::uint32_t instance);  // returns ok, no_valid_host or a failure
//   <text> reason() const;                       // why the last place returned no_valid_host
#pragma once

#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/request.hpp>

#include <cstdint>
#include <string>

namespace gantry {

// Places all instances, or fails if one instance finds no host. For select_destinations.
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

// Places each instance by itself, and refuses an instance that finds no host. For schedule_run_instance.
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

// Places instances on random rows of a set, each row with equal probability. The picks have no limits. Several
// instances may get the same row.
class random_choice {
 public:
  // `rows` is the set to choose from. place() removes a row from this set when the row's claim is lost.
  random_choice(call& call, bitmap rows) : call_(call), rows_(rows), left_(rows.count()) {}

  // Picks a row for an instance, and names up to `alternates` other rows as alternates, each at most once. Returns
  // no_valid_host if no row is left.
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

  // Returns the row that the last successful place() picked.
  std::uint32_t chosen() const noexcept { return chosen_; }

 private:
  code offer(std::uint32_t instance, std::uint32_t alternates) {
    bitmap others = call_.empty_bitmap(rows_.rows());
    others.assign(rows_);
    others.clear(chosen_);
    for (std::uint64_t count = left_ - 1; alternates != 0 && count != 0; --count) {
      const std::uint32_t row = others.nth(call_.random_below(count));
      const code code = call_.alternate(instance, row);
      if (code == code::ok)
        --alternates;
      else if (code != code::claim_lost)
        return code;
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
