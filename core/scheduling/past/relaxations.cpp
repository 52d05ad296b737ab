// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/past/relaxations.hpp"

#include <array>
#include <functional>
#include <set>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {

namespace {

// A request spec as it is changed: the JSON that a driver reads, and what stands beside it.
struct Draft {
  json::object spec;
  json::object filter_properties;
  std::vector<std::string> instance_uuids;
  std::optional<RequestedGroup> group;
};

struct Amount {
  const char* member;
  const char* unit;    // behind another number than 1: "MiB less memory"
  const char* one;     // behind 1
  std::int64_t least;  // an instance has at least so much
};
constexpr std::array<Amount, 5> amounts{{{"vcpus", "fewer vcpus", "fewer vcpu", 1},
                                         {"memory_mb", "MiB less memory", "MiB less memory", 1},
                                         {"root_gb", "GB less root disk", "GB less root disk", 0},
                                         {"ephemeral_gb", "GB less ephemeral disk", "GB less ephemeral disk", 0},
                                         {"swap", "MiB less swap", "MiB less swap", 0}}};

std::string less(const Amount& amount, std::int64_t by) {
  return std::to_string(by) + " " + (by == 1 ? amount.one : amount.unit);
}

constexpr std::array<const char*, 3> places_of_amounts{"flavor", "instance_type", "instance_properties"};
constexpr std::size_t most_zones = 32;
constexpr std::size_t most_conditions = 64;

void set_amount(json::object& spec, std::string_view member, std::int64_t value) {
  for (const auto* place : places_of_amounts) {
    const auto at = spec.find(place);
    if (at == spec.end() || !at->value().is_object()) continue;
    auto& object = at->value().get_object();
    if (const auto found = object.find(member); found != object.end()) found->value() = value;
  }
}

void erase_from(json::object& object, std::string_view list, std::string_view member) {
  const auto at = object.find(list);
  if (at != object.end() && at->value().is_object()) at->value().get_object().erase(member);
}

// A condition stands in the spec, and in the older dictionaries beside it.
void erase_hint(Draft& draft, std::string_view hint) {
  erase_from(draft.spec, "scheduler_hints", hint);
  erase_from(draft.filter_properties, "scheduler_hints", hint);
}

void erase_member(Draft& draft, std::string_view member) {
  draft.spec.erase(member);
  draft.filter_properties.erase(member);
}

class Relaxing {
 public:
  Relaxing(State& state, const MethodCall& call, const RequestSpec& spec, const std::optional<RequestedGroup>& group,
           const Instant& at)
      : state_(state), call_(call), spec_(spec), group_(group), at_(at) {}

  std::vector<Relaxation> find() {
    try_fewer_instances();
    // Cells of an instance have amounts of their own, which would no longer add up.
    if (json::find(spec_.plain, "numa_topology") == nullptr) {
      for (const auto& amount : amounts) try_less(amount);
    }
    try_zones();
    try_without_conditions();
    if (found_.empty()) try_together();
    return std::move(found_);
  }

 private:
  Draft draft() const { return {spec_.plain, spec_.filter_properties, spec_.instance_uuids, group_}; }

  // Returns how many hosts the draft leaves for its first instance. nullopt: it finds no host.
  std::optional<std::uint64_t> hosts_of(Draft draft) {
    if (std::chrono::steady_clock::now() >= call_.deadline) return std::nullopt;
    auto parsed = parse_request_spec(std::move(draft.spec), draft.filter_properties, std::move(draft.instance_uuids));
    if (!parsed) return std::nullopt;
    InstanceRequest request{.spec = *std::move(parsed), .mode = ClaimMode::as_before, .at = at_};
    request.group_before = std::move(draft.group);
    const auto decided = decide(state_, call_, request);
    if (!decided || (*decided)->sink->placed() < request.spec.num_instances) return std::nullopt;
    const auto& steps = (*decided)->sink->steps();
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (step->instance.value_or(0) == 0) return step->hosts_out;
    }
    return 1;
  }

  void try_draft(std::string change, Draft draft) {
    if (const auto hosts = hosts_of(std::move(draft))) found_.push_back({std::move(change), *hosts});
  }

  // Finds the greatest value below `asked` with which `draft_of(value)` finds a host.
  void search(std::int64_t asked, std::int64_t least, const std::function<Draft(std::int64_t)>& draft_of,
              const std::function<std::string(std::int64_t)>& change_of) {
    if (asked <= least) return;
    auto hosts = hosts_of(draft_of(least));
    if (!hosts) return;
    auto fits = least;
    auto fails = asked;
    while (fits + 1 < fails) {
      const auto middle = fits + (fails - fits) / 2;
      if (const auto more = hosts_of(draft_of(middle))) {
        fits = middle;
        hosts = more;
      } else {
        fails = middle;
      }
    }
    found_.push_back({change_of(fits), *hosts});
  }

  void try_less(const Amount& amount) {
    const auto* flavor = json::find_object(spec_.plain, "flavor");
    const auto asked = flavor != nullptr ? json::find_integer(*flavor, amount.member) : std::nullopt;
    if (!asked) return;
    search(
        *asked, amount.least,
        [&](std::int64_t value) {
          auto changed = draft();
          set_amount(changed.spec, amount.member, value);
          return changed;
        },
        [&](std::int64_t value) { return less(amount, *asked - value); });
  }

  void try_fewer_instances() {
    const auto asked = static_cast<std::int64_t>(spec_.num_instances);
    search(
        asked, 1,
        [&](std::int64_t value) {
          auto changed = draft();
          const auto count = static_cast<std::size_t>(value);
          if (changed.instance_uuids.size() > count) changed.instance_uuids.resize(count);
          changed.spec["num_instances"] = value;
          changed.spec.erase("instance_uuids");
          return changed;
        },
        [&](std::int64_t value) {
          return std::to_string(value) + (value == 1 ? " instance" : " instances") + " in place of " +
                 std::to_string(asked);
        });
  }

  std::set<std::string> zones() const {
    std::set<std::string> zones;
    const auto* view = at_.moment.view("compute");
    const auto* column = view != nullptr ? at_.moment.column(*view, "availability_zone") : nullptr;
    if (column == nullptr) return zones;
    const auto* codes = static_cast<const std::uint32_t*>(column->values);
    const auto* texts = static_cast<const gantry_string*>(column->dictionary);
    for (std::uint32_t row = 0; row < view->rows && zones.size() < most_zones; ++row) {
      const bool has = column->validity == nullptr || (column->validity[row / 64] >> (row % 64) & 1) != 0;
      if (has) zones.emplace(drivers::from_abi(texts[codes[row]]));
    }
    return zones;
  }

  Draft in_zone(const std::string& zone) const {
    auto changed = draft();
    changed.spec["availability_zone"] = zone;
    if (const auto at = changed.spec.find("instance_properties");
        at != changed.spec.end() && at->value().is_object() && at->value().get_object().contains("availability_zone"))
      at->value().get_object()["availability_zone"] = zone;
    return changed;
  }

  std::set<std::string> other_zones() const {
    if (spec_.availability_zone.empty()) return {};
    auto others = zones();
    others.erase(spec_.availability_zone);
    return others;
  }

  void try_zones() {
    for (const auto& zone : other_zones()) try_draft("zone " + zone, in_zone(zone));
  }

  // No single change does: several amounts, and another zone with less of some.
  void try_together() {
    try_amounts_of(draft(), "");
    for (const auto& zone : other_zones()) try_amounts_of(in_zone(zone), "zone " + zone);
  }

  // Takes away what can be taken of all amounts, and then gives back of one after the other as much as still does.
  void try_amounts_of(const Draft& base, std::string change) {
    if (json::find(spec_.plain, "numa_topology") != nullptr) return;
    const auto* flavor = json::find_object(base.spec, "flavor");
    if (flavor == nullptr) return;
    auto least = base;
    const auto least_of = [&flavor](const Amount& amount) {
      return std::min(amount.least, json::find_integer(*flavor, amount.member).value_or(0));
    };
    for (const auto& amount : amounts) set_amount(least.spec, amount.member, least_of(amount));
    auto hosts = hosts_of(least);
    if (!hosts) return;
    for (const auto& amount : amounts) {
      const auto asked = json::find_integer(*flavor, amount.member).value_or(0);
      auto fits = least_of(amount);
      for (auto fails = asked + 1; fits + 1 < fails;) {
        const auto middle = fits + (fails - fits) / 2;
        auto more = least;
        set_amount(more.spec, amount.member, middle);
        if (const auto left = hosts_of(std::move(more))) {
          fits = middle;
          hosts = left;
        } else {
          fails = middle;
        }
      }
      set_amount(least.spec, amount.member, fits);
      if (fits == asked) continue;
      change += change.empty() ? "" : " and ";
      change += less(amount, asked - fits);
    }
    if (change.empty()) return;
    found_.push_back({std::move(change), *hosts});
  }

  void try_without_conditions() {
    std::size_t tried = 0;
    const auto attempt = [&](std::string change, const std::function<void(Draft&)>& erase) {
      if (++tried > most_conditions) return;
      auto changed = draft();
      erase(changed);
      try_draft("without " + std::move(change), std::move(changed));
    };
    for (const auto& hint : spec_.hints) {
      attempt("the hint " + hint.key, [&](Draft& changed) {
        erase_hint(changed, hint.key);
        if (hint.key == "group") changed.group.reset();
      });
    }
    if (spec_.group) {
      attempt("the server group", [](Draft& changed) {
        changed.spec.erase("instance_group");
        changed.group.reset();
      });
    }
    for (const auto& [key, value] : spec_.extra_specs) {
      attempt("the extra spec " + key, [&key = key](Draft& changed) {
        for (const auto* place : {"flavor", "instance_type"}) {
          if (const auto at = changed.spec.find(place); at != changed.spec.end() && at->value().is_object())
            erase_from(at->value().get_object(), "extra_specs", key);
        }
      });
    }
    for (const auto& [key, value] : spec_.image_properties) {
      attempt("the image property " + key, [&key = key](Draft& changed) {
        if (const auto at = changed.spec.find("image"); at != changed.spec.end() && at->value().is_object())
          erase_from(at->value().get_object(), "properties", key);
      });
    }
    for (const auto* member : {"force_hosts", "force_nodes", "ignore_hosts", "requested_destination", "retry"}) {
      if (json::find(spec_.plain, member) == nullptr) continue;
      attempt(member, [member](Draft& changed) { erase_member(changed, member); });
    }
  }

  State& state_;
  const MethodCall& call_;
  const RequestSpec& spec_;
  const std::optional<RequestedGroup>& group_;
  const Instant& at_;
  std::vector<Relaxation> found_;
};

}  // namespace

std::vector<Relaxation> relaxations(State& state, const MethodCall& call, const RequestSpec& spec,
                                    const std::optional<RequestedGroup>& group, const Instant& at) {
  return Relaxing(state, call, spec, group, at).find();
}

std::string relaxations_text(const std::vector<Relaxation>& relaxations) {
  // The error of a request with many conditions stays readable. Its details have them all.
  constexpr std::size_t most_told = 6;
  constexpr std::string_view without = "without ";
  std::string text;
  for (std::size_t at = 0; at < relaxations.size(); ++at) {
    if (at == most_told) {
      const auto more = relaxations.size() - most_told;
      text += more == 1 ? ", or one other change" : ", or one of " + std::to_string(more) + " other changes";
      break;
    }
    const auto& each = relaxations[at];
    if (at == 0 && each.change.starts_with(without)) {
      text = "Without " + each.change.substr(without.size());
    } else {
      text += (at == 0 ? "With " : ", or ") + each.change;
    }
    text += " (" + std::to_string(each.hosts) + (each.hosts == 1 ? " host)" : " hosts)");
  }
  return text + " there would be one";
}

json::array relaxations_json(const std::vector<Relaxation>& relaxations) {
  json::array list;
  for (const auto& each : relaxations) list.push_back(json::object{{"change", each.change}, {"hosts", each.hosts}});
  return list;
}

}  // namespace gantry::scheduling
