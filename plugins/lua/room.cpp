// SPDX-License-Identifier: Apache-2.0
#include "room.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "column_operations.hpp"

namespace lua_driver {

namespace {

std::string number(double value) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return text.data();
}

}  // namespace

room::room(const gantry::view& view, const gantry::request& request) {
  const std::array<double, 3> taken = {static_cast<double>(request.vcpus()), static_cast<double>(request.memory_mb()),
                                       request.disk_gb()};
  for (std::size_t at = 0; at < resources.size(); ++at) {
    amounts_[at] = {view.integers(resources[at].capacity).data(), view.reals(resources[at].ratio).data(),
                    view.reals(resources[at].used).data(), taken[at]};
  }
}

void room::keep(std::size_t resource, gantry::bitmap& rows) const {
  const amounts& of = amounts_[resource];
  for (std::size_t block = 0; block < rows.word_count(); ++block) {
    std::uint64_t word = 0;
    const amounts here = {of.capacity + block * 64, of.ratio + block * 64, of.used + block * 64, of.taken};
    for (std::size_t at = 0; at < 64; ++at) word |= here.fits(at) ? single_bits[at] : 0;
    rows.words()[block] &= word;
  }
}

bool room::has(std::uint32_t row) const {
  return std::all_of(amounts_.begin(), amounts_.end(), [row](const amounts& each) { return each.fits(row); });
}

gantry::limits room::limits(std::uint32_t row) const {
  return {amounts_[0].limit(row), amounts_[1].limit(row), amounts_[2].limit(row), {}};
}

std::string room::lack(std::size_t resource, std::uint32_t row) const {
  const amounts& of = amounts_[resource];
  return number(of.taken) + " wanted, " + number(of.limit(row) - of.used[row]) + " free";
}

std::string room::lack(std::size_t resource, const gantry::bits& rows) const {
  const amounts& of = amounts_[resource];
  double most = -std::numeric_limits<double>::infinity();
  rows.for_each([&](std::uint32_t row) { most = std::max(most, of.limit(row) - of.used[row]); });
  return number(of.taken) + " wanted, at most " + number(most) + " free on a host";
}

void consumption::add(const char* column, std::uint32_t row, double amount) {
  if (!derived_->find<gantry::column<double>>(column)) return;
  call_.write<double>(*derived_, column)[row] += amount;
}

void consumption::take(std::uint32_t instance, std::uint32_t row) {
  if (!derived_) derived_.emplace(call_.derive(request_.view()));
  const auto vcpus = static_cast<double>(request_.vcpus());
  const auto memory_mb = static_cast<double>(request_.memory_mb());
  const double disk_gb = request_.disk_gb();
  add("vcpus_used", row, vcpus);
  add("memory_mb_used", row, memory_mb);
  add("local_gb_used", row, disk_gb);
  add("free_ram_mb", row, -memory_mb);
  add("free_disk_gb", row, -disk_gb);
  add("claims.vcpu", row, vcpus);
  add("claims.memory_mb", row, memory_mb);
  add("claims.disk_gb", row, disk_gb);
  add("claims.instances", row, 1);
  const gantry_strings uuids = request_.instance_uuids();
  if (instance >= uuids.count || !derived_->find<gantry::uuid_column>("instances")) return;
  if (const auto uuid = gantry::parse_uuid(gantry::text(uuids.items[instance])))
    call_.append(*derived_, "instances", row, *uuid);
}

}  // namespace lua_driver
