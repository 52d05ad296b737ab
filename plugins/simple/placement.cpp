// SPDX-License-Identifier: Apache-2.0
#include "placement.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace simple_driver {

namespace {

std::string number(double value) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return text.data();
}

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

double least(const std::array<double, 64>& values) {
  std::array<double, 8> lanes;
  std::copy(values.begin(), values.begin() + 8, lanes.begin());
  for (std::size_t at = 8; at < 64; at += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      lanes[lane] = values[at + lane] < lanes[lane] ? values[at + lane] : lanes[lane];
    }
  }
  return *std::min_element(lanes.begin(), lanes.end());
}

// Says which zones there are if no host is in the zone.
void keep_zone(gantry::call& call, const gantry::request& request, gantry::narrowing& found, std::string_view zone) {
  gantry::bitmap before = call.empty_bitmap(request.view().rows());
  before.assign(found.rows());
  const gantry::text_column zones = request.view().texts("availability_zone");
  zones.keep_equal(found.rows(), zone);
  const std::string wanted = "zone " + gantry::quoted(zone) + " wanted";
  if (!found.rows().none()) return found.step("availability_zone", wanted);
  found.step("availability_zone",
             wanted + ", " + gantry::texts_of(before, request.view(), "availability_zone") + " there",
             [zones, wanted](std::uint32_t row) {
               return wanted + ", " + (zones.has(row) ? gantry::quoted(zones[row]) : "none") + " there";
             });
}

gantry::narrowing allowed_rows(gantry::call& call, const gantry::request& request, const gantry::group_rules& group) {
  gantry::narrowing found = gantry::candidates(call, request);
  if (const std::string_view zone = request.availability_zone(); !zone.empty()) {
    keep_zone(call, request, found, zone);
  }
  if (group.binds()) {
    group.narrow(call, found.rows());
    found.step(group.name(), group.reason());
  }
  return found;
}

}  // namespace

placement::placement(gantry::call& call, const gantry::request& request)
    : call_(call),
      request_(request),
      taken_{static_cast<double>(request.vcpus()), static_cast<double>(request.memory_mb()), request.disk_gb()},
      group_(request),
      found_(allowed_rows(call, request, group_)),
      capacity_(request.view(), taken_),
      best_of_block_(call, found_.rows().word_count()),
      touched_(call.empty_bitmap(request.view().rows())) {
  explain_capacity(weigh_all());
  if (found_.explains_hosts()) explain_hosts();
  fitting_hosts_ = found_.left();
}

gantry::code placement::place(std::uint32_t instance) {
  std::uint32_t row = 0;
  while (next(row)) {
    const double free_share = 1 - best_of_block_.best();
    const gantry::code code = call_.pick(instance, row, capacity_.limits(row), free_share, {}, group_.bound());
    if (code == gantry::code::claim_lost) {
      ++lost_claims_;
      drop(row);
      continue;
    }
    if (code != gantry::code::ok) return code;
    touched_.set(row);
    ++instances_[row];
    ++placed_;
    if (group_.placed(row)) {
      group_.narrow(call_, found_.rows());
      weigh_all();
    } else {
      weigh(row / 64);
    }
    return offer_alternates(instance, row);
  }
  say_none_left(instance);
  return gantry::code::no_valid_host;
}

fitting placement::loads(std::size_t block, std::array<double, 64>& loads) const {
  const std::size_t first = block * 64;
  const std::size_t count = std::min<std::size_t>(64, request_.view().rows() - first);
  std::fill(loads.begin(), loads.end(), none);
  const fitting total = capacity_.loads(first, count, found_.rows().word(block), loads);
  for (std::uint64_t rest = touched_.word(block) & found_.rows().word(block); rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(rest));
    const auto row = static_cast<std::uint32_t>(first) + bit;
    loads[bit] = capacity_.load(row, instances_.at(row));
  }
  return total;
}

fitting placement::weigh_all() {
  fitting total;
  std::array<double, 64> scratch;
  for (std::size_t block = 0; block < found_.rows().word_count(); ++block) {
    best_of_block_[block] = none;
    if (found_.rows().word(block) == 0) continue;
    const fitting here = loads(block, scratch);
    total.vcpu += here.vcpu;
    total.memory_mb += here.memory_mb;
    total.disk_gb += here.disk_gb;
    best_of_block_[block] = least(scratch);
  }
  best_of_block_.rebuild();
  return total;
}

void placement::weigh(std::size_t block) {
  std::array<double, 64> scratch;
  loads(block, scratch);
  best_of_block_.set(block, least(scratch));
}

void placement::drop(std::uint32_t row) {
  found_.rows().clear(row);
  weigh(row / 64);
}

bool placement::next(std::uint32_t& row) {
  while (best_of_block_.best() != none) {
    const std::size_t block = best_of_block_.best_index();
    std::array<double, 64> scratch;
    loads(block, scratch);
    const auto* const best = std::find(scratch.begin(), scratch.end(), best_of_block_.best());
    row = static_cast<std::uint32_t>(block * 64) + static_cast<std::uint32_t>(best - scratch.begin());
    if (group_.allows(row)) return true;
    drop(row);
  }
  return false;
}

gantry::code placement::offer_alternates(std::uint32_t instance, std::uint32_t chosen) {
  gantry::code code = gantry::code::ok;
  std::vector<std::uint32_t> aside;  // excluded until all alternates are found
  std::uint32_t row = chosen;
  for (std::uint32_t wanted = request_.alternates(); wanted != 0;) {
    aside.push_back(row);
    drop(row);
    if (!next(row)) break;
    code = call_.alternate(instance, row, capacity_.limits(row), 1 - best_of_block_.best());
    if (code == gantry::code::ok)
      --wanted;
    else if (code == gantry::code::claim_lost)
      code = gantry::code::ok;
    else
      break;
  }
  for (const std::uint32_t back : aside) {
    found_.rows().set(back);
    weigh(back / 64);
  }
  return code;
}

void placement::explain_capacity(const fitting& total) {
  const auto step = [&](const char* name, double wanted, const resource& resource, std::int64_t left) {
    found_.step(name, lack(wanted, resource, left == 0), static_cast<std::uint64_t>(left));
  };
  step("vcpus", taken_.vcpu, capacity_.vcpu(), total.vcpu);
  step("memory_mb", taken_.memory_mb, capacity_.memory_mb(), total.memory_mb);
  step("disk_gb", taken_.disk_gb, capacity_.disk_gb(), total.disk_gb);
}

// Says the wanted amount and, if `none_left`, the most that was free.
std::string placement::lack(double wanted, const resource& resource, bool none_left) const {
  if (!none_left) return "less than " + number(wanted) + " free";
  double most = -none;
  found_.rows().for_each([&](std::uint32_t row) {
    if (capacity_.fits_before(resource, row)) most = std::max(most, resource.free(row));
  });
  return number(wanted) + " wanted, at most " + number(most) + " free on a host";
}

std::pair<const char*, std::string> placement::lack_of(std::uint32_t row) const {
  const auto says = [&](const char* name, double wanted, double free) {
    return std::pair(name, number(wanted) + " wanted, " + number(free) + " free");
  };
  if (!capacity_.fits_before(capacity_.memory_mb(), row)) return says("vcpus", taken_.vcpu, capacity_.vcpu().free(row));
  if (!capacity_.fits_before(capacity_.disk_gb(), row))
    return says("memory_mb", taken_.memory_mb, capacity_.memory_mb().free(row));
  return says("disk_gb", taken_.disk_gb, capacity_.disk_gb().free(row));
}

void placement::explain_hosts() {
  std::vector<std::pair<double, std::uint32_t>> fitting;  // load and row: the order of choice
  std::vector<std::uint32_t> full;
  found_.rows().for_each([&](std::uint32_t row) {
    const double load = capacity_.load(row, 0);
    if (load == none)
      full.push_back(row);
    else
      fitting.emplace_back(load, row);
  });
  std::sort(fitting.begin(), fitting.end());
  gantry::host_explanation told;
  for (std::size_t rank = 0; rank < fitting.size(); ++rank) {
    told.row = fitting[rank].second;
    told.weight = 1 - fitting[rank].first;
    told.rank = rank;
    call_.explain_host(told);
  }
  told.weight.reset();
  told.rank.reset();
  for (const std::uint32_t row : full) {
    const auto [resource, why] = lack_of(row);
    const gantry::verdict against(resource, false, why);
    told.row = row;
    told.verdicts = {&against, 1};
    call_.explain_host(told);
  }
  found_.explain_removed();
}

void placement::say_none_left(std::uint32_t instance) {
  if (fitting_hosts_ == 0) {
    reason_ = found_.emptied_by();
    return;
  }
  reason_ = counted(fitting_hosts_, "host") + " had room for an instance, none is left";
  if (placed_ != 0) reason_ += " after " + counted(placed_, "instance") + " of this request";
  if (lost_claims_ != 0) {
    reason_ += request_.eligible() ? "; claims were refused on " : "; other requests were faster on ";
    reason_ += (lost_claims_ == 1 ? "" : "each of ") + counted(lost_claims_, "host");
  }
  call_.explain({"room", fitting_hosts_, 0, reason_, instance});
}

}  // namespace simple_driver
