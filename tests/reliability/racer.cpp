// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/racer.hpp"

#include <thread>

#include "core/encoding/uuid.hpp"

namespace gantry::reliability {

namespace {

std::vector<std::string> new_uuids(std::size_t count) {
  std::vector<std::string> uuids(count);
  for (auto& uuid : uuids) uuid = to_text(random_uuid());
  return uuids;
}

std::string text_of(const json::value& object, std::string_view key) {
  return std::string(json::find_string(object.as_object(), key).value_or(""));
}

}  // namespace

json::object Racer::request(const std::vector<std::string>& uuids) const {
  return {{"request_spec", json::object{{"instance_uuids", json::array(uuids.begin(), uuids.end())},
                                        {"num_instances", uuids.size()},
                                        {"instance_type", json::object{{"name", "slot"},
                                                                       {"vcpus", slot_.vcpus},
                                                                       {"memory_mb", slot_.memory_mb},
                                                                       {"root_gb", slot_.disk_gb}}}}}};
}

Reply Racer::decide(const std::string& method, const std::vector<std::string>& uuids, const std::string& key) {
  ++counts_.decisions;
  return ask_(method, request(uuids), key);
}

bool Racer::select(const std::vector<std::string>& uuids) {
  const auto reply = decide("select_destinations", uuids);
  if (!reply.ok) {
    ++counts_.refused;
    // What was claimed may have been released by another call before it was stored; the caller is told to try again.
    const bool lost = reply.code == "unavailable" && reply.message.find("ended by another call") != std::string::npos;
    if (reply.code != "no_valid_host" && !lost) counts_.note(counts_.wrong, "select_destinations: " + reply.message);
    return false;
  }
  const auto& chosen = reply.result.as_array();
  for (std::size_t at = 0; at < uuids.size(); ++at) {
    ++counts_.placed;
    truth_.holds({uuids[at], false}, text_of(chosen.at(at), "host"));
  }
  return true;
}

// True: all of them were placed.
bool Racer::take_instances(const Reply& reply, bool is_repeat) {
  if (!reply.ok) {
    counts_.note(counts_.wrong, "schedule_run_instance: " + reply.message);
    return false;
  }
  bool all = true;
  for (const auto& instance : reply.result.at("instances").as_array()) {
    const auto uuid = text_of(instance, "uuid");
    const auto host = text_of(instance, "host");
    if (!host.empty()) {
      if (!is_repeat) ++counts_.placed;
      truth_.holds({uuid, true}, host);
      continue;
    }
    all = false;
    if (is_repeat) continue;
    ++counts_.refused;
    give_up({uuid, true});
  }
  return all;
}

bool Racer::schedule(const std::vector<std::string>& uuids) {
  return take_instances(decide("schedule_run_instance", uuids), false);
}

bool Racer::place_one() {
  return random_() % 3 == 0 ? schedule(new_uuids(1)) : select(new_uuids(1));
}

void Racer::give_up(const Holder& holder) {
  truth_.gives_up(holder.uuid);
  ++counts_.releases;
  const auto reply = holder.is_instance ? ask_("delete_instance", {{"instance", holder.uuid}}, {})
                                        : ask_("release_claims", {{"instance_uuid", holder.uuid}}, {});
  if (!reply.ok) counts_.note(counts_.wrong, "giving up " + holder.uuid + ": " + reply.message);
}

// As a client that lost the answer sends a launch again: one slot, one answer.
void Racer::schedule_twice() {
  const auto uuids = new_uuids(1);
  const auto key = to_text(random_uuid());
  const auto first = decide("schedule_run_instance", uuids, key);
  const auto second = ask_("schedule_run_instance", request(uuids), key);
  if (!second.ok || !first.ok || second.result != first.result)
    counts_.note(counts_.wrong, "a launch that was sent again was answered otherwise: " + second.message);
  take_instances(first, false);
}

// As a conductor that does not know whether its first request was heard. Both hosts are held then.
void Racer::select_again() {
  const auto holder = truth_.borrow_any(false, random_);
  if (!holder) return;
  select({holder->uuid});
  truth_.give_back(holder->uuid);
}

// A server that failed to start is placed again: the earlier place is given back with the new one.
void Racer::schedule_again() {
  const auto holder = truth_.borrow_any(true, random_);
  if (!holder) return;
  truth_.gives_up(holder->uuid);
  const auto reply = ask_("update_instance", {{"uuid", holder->uuid}, {"vm_state", "error"}}, {});
  if (!reply.ok) counts_.note(counts_.wrong, "an error of " + holder->uuid + ": " + reply.message);
  schedule({holder->uuid});
}

void Racer::step() {
  const auto choice = random_() % 100;
  if (choice < 34) {
    select(new_uuids(1));
  } else if (choice < 44) {
    schedule(new_uuids(1));
  } else if (choice < 52) {
    select(new_uuids(2 + random_() % 2));
  } else if (choice < 56) {
    schedule(new_uuids(2 + random_() % 2));
  } else if (choice < 58) {
    schedule_twice();
  } else if (choice < 61) {
    select_again();
  } else if (choice < 63) {
    schedule_again();
  } else if (const auto holder = truth_.take_any(keeps_listed_, random_)) {
    give_up(*holder);
  }
}

}  // namespace gantry::reliability
