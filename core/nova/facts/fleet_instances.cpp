// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/fleet_instances.hpp"

#include <utility>

namespace gantry::nova {

namespace {

constexpr const char* compute = "compute";

}  // namespace

std::string FleetInstances::host_of(const std::string& uuid) const {
  auto known = fleet_.instance(uuid);
  return known ? std::move(known->host) : std::string();
}

// Claims of an instance that has moved end, but for the one on its new host: that one waits for the host's record.
void FleetInstances::put(const std::string& uuid, const std::string& host, const std::optional<json::object>& image) {
  fleet::Instance instance;
  instance.uuid = uuid;
  instance.host = host;
  if (image) {
    instance.image_properties = *image;
  } else if (fleet_.keeps_image_properties()) {
    if (auto known = fleet_.instance(uuid)) instance.image_properties = std::move(known->image_properties);
  }
  const auto before = fleet_.put_instance(instance);
  if (!before || before->host.empty() || before->host == host) return;
  fleet::ClaimChanges changes;
  std::optional<fleet::Claim> kept;
  for (const auto& node : hosts_.nodes_of(host)) {
    if (auto claim = fleet_.find_claim(uuid, compute, host, node)) kept = std::move(claim);
  }
  fleet_.release_picks(uuid, changes, kept ? &*kept : nullptr);
  changes.commit();
}

void FleetInstances::remove(const std::string& uuid) {
  fleet_.remove_instance(uuid);
  fleet::ClaimChanges changes;
  fleet_.release_claims(uuid, changes);
  changes.commit();
}

void FleetInstances::arrive(std::int64_t cell, const InstanceFact& fact) {
  const auto& [uuid, host, image] = fact;
  const auto before = host_of(uuid);
  auto& here = used_[cell];
  if (!before.empty() && before != host && !here.contains(before)) {
    for (const auto& [other, hosts] : used_) {
      if (other != cell && hosts.contains(before)) elsewhere_[uuid][other] = before;
    }
  }
  if (const auto twice = elsewhere_.find(uuid); twice != elsewhere_.end()) {
    twice->second.erase(cell);
    if (twice->second.empty()) elsewhere_.erase(twice);
  }
  here.insert(host);
  put(uuid, host, image);
}

void FleetInstances::leave(std::int64_t cell, const std::string& uuid) {
  const auto before = host_of(uuid);
  const bool is_shown_here = before.empty() || used_[cell].contains(before);
  const auto twice = elsewhere_.find(uuid);
  if (twice == elsewhere_.end()) {
    if (is_shown_here) remove(uuid);
    return;
  }
  twice->second.erase(cell);
  if (is_shown_here && !twice->second.empty()) {
    put(uuid, twice->second.begin()->second);
    twice->second.erase(twice->second.begin());
  } else if (is_shown_here) {
    remove(uuid);
  }
  if (twice->second.empty()) elsewhere_.erase(twice);
}

// The facts are differences from what the databases said before, so they are newer than what a cast has kept.
void FleetInstances::apply(std::int64_t cell, const CellFacts& facts, Clock::time_point begun,
                           std::set<std::string>& changed) {
  std::map<std::string, Cast> ended;
  for (auto at = casts_.begin(); at != casts_.end();) {
    const auto next = std::next(at);
    if (at->second.cell == cell && at->second.at <= begun) ended.insert(casts_.extract(at));
    at = next;
  }
  for (const auto& uuid : facts.instances_gone) {
    ended.erase(uuid);
    if (const auto cast = casts_.find(uuid); cast != casts_.end())
      cast->second.host.reset();
    else
      leave(cell, uuid);
  }
  for (const auto& fact : facts.instances) {
    ended.erase(fact.uuid);
    used_[cell].insert(fact.host);
    changed.insert(fact.host);
    if (const auto cast = casts_.find(fact.uuid); cast != casts_.end()) {
      cast->second.host = fact.host;
      if (fact.image_properties) cast->second.image = fact.image_properties;
    } else {
      arrive(cell, fact);
    }
  }
  for (const auto& [uuid, cast] : ended) {
    const auto shown = host_of(uuid);
    if (!cast.host && !shown.empty()) remove(uuid);
    if (!cast.host || (*cast.host == shown && !cast.image)) continue;
    put(uuid, *cast.host, cast.image);
    if (*cast.host != shown) changed.insert(*cast.host);
  }
}

void FleetInstances::remove_cell(std::int64_t cell) {
  const auto found = used_.find(cell);
  if (found == used_.end()) return;
  for (const auto& instance : fleet_.instances()) {
    if (found->second.contains(instance.host)) leave(cell, instance.uuid);
  }
  std::erase_if(casts_, [cell](const auto& cast) { return cast.second.cell == cell; });
  used_.erase(found);
}

void FleetInstances::remember(std::int64_t cell, const std::string& uuid, Clock::time_point now) {
  const auto [at, is_new] = casts_.try_emplace(uuid);
  at->second.cell = cell;
  at->second.at = now;
  if (!is_new) return;
  auto known = fleet_.instance(uuid);
  if (!known || known->host.empty()) return;
  at->second.host = std::move(known->host);
  if (!known->image_properties.empty()) at->second.image = std::move(known->image_properties);
}

void FleetInstances::cast_present(std::int64_t cell, const std::string& host, std::span<const std::string> uuids,
                                  Clock::time_point now, std::set<std::string>& changed) {
  for (const auto& uuid : uuids) {
    remember(cell, uuid, now);
    if (host_of(uuid) == host) continue;
    used_[cell].insert(host);
    put(uuid, host);
    changed.insert(host);
  }
}

void FleetInstances::cast_gone(std::int64_t cell, const std::string& host, const std::string& uuid,
                               Clock::time_point now) {
  const auto shown = host_of(uuid);
  // After a move, the former host says that the instance is gone.
  if (!shown.empty() && shown != host) return;
  remember(cell, uuid, now);
  remove(uuid);
}

}  // namespace gantry::nova
