// SPDX-License-Identifier: Apache-2.0
//
// Rules about picks that are lost, limits and claims.
#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

namespace gantry::conformance {
namespace {

using testing::fake_request;
using testing::host_row;
using testing::outcome;
using testing::picked;

std::unique_ptr<Instance> usual(Subject& subject, const Unit& unit) {
  return Instance::create(unit, subject, options_for(subject, unit));
}

std::string code_text(const outcome& outcome) {
  return "code " + std::to_string(outcome.code) + (outcome.sentence.empty() ? "" : ": " + outcome.sentence);
}

// Most drivers that look at capacity read one of these columns.
bool reads_capacity(const Unit& unit) {
  for (const drivers::ColumnUse& use : unit.columns)
    if (use.name == "memory_mb" || use.name == "vcpus" || use.name == "free_ram_mb") return true;
  return false;
}

Verdict each_claim_lost(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = usual(subject, unit);
    for (const bool selects : {true, false}) {
      Host host(unit, subject, fleet(unit, subject.seed(), 30));
      host.admits = [](const picked&) { return false; };
      const outcome result =
          selects ? instance->select(host, small_request(2)) : instance->schedule(host, small_request(2));
      const bool is_refusal =
          result.code == GANTRY_NO_VALID_HOST || (!selects && result.code == GANTRY_OK && result.refusals.size() == 2);
      if (!is_refusal) return failed("'no valid host' when each pick is lost", code_text(result));
    }
    return Verdict{};
  });
}

Verdict first_claim_lost(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = usual(subject, unit);
    Host host(unit, subject, fleet(unit, subject.seed(), 30));
    std::string lost;
    host.admits = [&lost](const picked& pick) {
      if (lost.empty()) lost = pick.host;
      return pick.host != lost;
    };
    const outcome result = instance->select(host, small_request());
    if (lost.empty()) return not_applicable("the driver picks nothing");
    if (result.code == GANTRY_OK && !result.picks.empty()) return Verdict{};
    return failed("the next choice after a lost claim", code_text(result));
  });
}

Verdict lost_row_may_admit_another(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = usual(subject, unit);
    Host host(unit, subject, fleet(unit, subject.seed(), 30));
    std::uint64_t picks = 0;
    host.admits = [&picks](const picked&) { return ++picks % 2 == 0; };
    const outcome result = instance->select(host, small_request(3));
    if (result.code == GANTRY_OK && result.picks.size() == 3) return Verdict{};
    return failed("three picks where each second claim is lost", code_text(result));
  });
}

Verdict two_requests_for_one_room(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    if (!reads_capacity(unit)) return not_applicable("the manifest names no column of capacity");
    const auto instance = usual(subject, unit);
    std::vector<host_row> rows = fleet(unit, subject.seed(), 30);
    Host host(unit, subject, rows);
    fake_request request = small_request();
    request.memory_mb = 16384;
    const outcome first = instance->select(host, request);
    if (first.picks.empty()) return not_applicable("the driver picks nothing");
    const picked& pick = first.picks.front();
    const bool has_limits = pick.limit_memory_mb == pick.limit_memory_mb || pick.limit_vcpu == pick.limit_vcpu ||
                            pick.limit_disk_gb == pick.limit_disk_gb || !pick.items.empty();
    if (has_limits) return Verdict{};
    return failed("a pick with limits: two requests that see the same view must not overbook the host",
                  "a pick of " + pick.host + " without a limit");
  });
}

Verdict limits_hold_the_pick(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = usual(subject, unit);
    Host host(unit, subject, fleet(unit, subject.seed(), 30));
    const outcome result = instance->select(host, small_request(3));
    if (result.lost.empty()) return Verdict{};
    return failed("limits that admit the driver's own choice on a quiet fleet",
                  "a lost pick of " + result.lost.front().host);
  });
}

Verdict fills_a_host_once(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    if (!reads_capacity(unit)) return not_applicable("the manifest names no column of capacity");
    const auto instance = usual(subject, unit);
    Host host(unit, subject, fleet(unit, subject.seed(), 1));
    fake_request request = small_request(1);
    request.memory_mb = 8192;
    request.vcpus = 1;
    request.disk_gb = 1;
    request.root_gb = 1;
    for (std::uint32_t number = 0; number < 500; ++number) {
      request.instance_uuids = small_request(1, number).instance_uuids;
      if (instance->select(host, request).code != GANTRY_OK) return Verdict{};
    }
    return failed("an end to the room of one host", "500 instances of 8 GiB on it");
  });
}

Verdict failed_picks_leave_nothing(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = usual(subject, unit);
    Host host(unit, subject, fleet(unit, subject.seed(), 3));
    const fake_request many = small_request(3, 1);
    host.admits = [](const picked& pick) { return pick.instance == 0; };
    const outcome lost = instance->select(host, many);
    if (lost.code == GANTRY_OK) return failed("no success without a pick for each instance", code_text(lost));
    host.admits = nullptr;
    Host fresh(unit, subject, fleet(unit, subject.seed(), 3));
    fresh.seed = host.seed;
    const std::string after = text_of(instance->select(host, small_request(1, 2)));
    const std::string without = text_of(instance->select(fresh, small_request(1, 2)));
    if (after == without || unit.decides_from_history) return Verdict{};
    return failed("a decision as if the failed call had not been: " + without, after);
  });
}

Verdict capacity_equals_placing(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = usual(subject, unit);
    fake_request request = small_request();
    request.memory_mb = 16384;
    request.vcpus = 4;
    Host host(unit, subject, fleet(unit, subject.seed(), 1));
    const auto counts = instance->capacity(host, request);
    if (!counts || counts->code == GANTRY_UNSUPPORTED) return not_applicable("the driver counts no capacity");
    if (counts->code != GANTRY_OK) return failed("counts", code_text(*counts));
    const std::uint64_t told = counts->counts.at(0);
    std::uint64_t placed = 0;
    for (; placed < 300; ++placed) {
      request.instance_uuids = small_request(1, static_cast<std::uint32_t>(placed)).instance_uuids;
      if (instance->select(host, request).code != GANTRY_OK) break;
    }
    if (placed == told || (placed == 300 && told >= 300)) return Verdict{};
    return failed("room for " + std::to_string(told) + " as capacity says", std::to_string(placed) + " placed");
  });
}

Verdict unknown_code_of_a_service(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = usual(subject, unit);
    Host host(unit, subject, fleet(unit, subject.seed(), 30));
    host.pick_code = 77;
    const outcome result = instance->select(host, small_request());
    if (result.code == 77 || result.code == GANTRY_NO_VALID_HOST) return Verdict{};
    return failed("the unknown code 77 of a pick as the result", code_text(result));
  });
}

}  // namespace

std::vector<Rule> claim_rules() {
  return with_seeds({
      {"each-claim-lost", Grade::bronze, "When each pick is lost, the answer is 'no valid host'",
       "GANTRY_CLAIM_LOST is an answer to a pick, not a result of the driver.", "return host->pick(call, &pick);",
       "driver.h, gantry_host.pick", each_claim_lost},
      {"next-choice-after-a-lost-claim", Grade::bronze, "A lost pick is followed by the next choice",
       "Two requests at once often want the same host: the second must not fail while others have room.",
       "if (pick(...) != GANTRY_OK) return GANTRY_NO_VALID_HOST;", "driver.h, gantry_host.pick", first_claim_lost},
      {"goes-on-under-contention", Grade::silver, "Where each second claim is lost, all instances still get a host",
       "Busy sites lose many claims.", "a driver that tries three hosts and gives up", "driver.h, gantry_host.pick",
       lost_row_may_admit_another},
      {"picks-with-limits", Grade::bronze, "A driver that reads capacity gives its picks limits",
       "Two requests that see the same view overbook a host without a limit.", "pick.present = 0",
       "driver.h, gantry_limits", two_requests_for_one_room},
      {"limits-admit-the-pick", Grade::bronze, "The limits of a pick admit the pick itself",
       "A limit in another unit loses each claim.", "limits.memory_mb in GiB", "driver.h, gantry_limits",
       limits_hold_the_pick},
      {"a-host-fills-up", Grade::bronze, "Placing without end comes to an end on one host",
       "A driver that does not count claims overbooks.", "reading memory_mb without memory_mb_used",
       "driver.h, the view", fills_a_host_once},
      {"failure-leaves-nothing", Grade::silver, "A failed decision does not change the next one",
       "A failed call is undone by the host, and the driver must not remember it.", "self->placed += 1 before the pick",
       "driver.h, convention 5", failed_picks_leave_nothing},
      {"capacity-equals-placing", Grade::silver, "gantry.capacity/1 counts what can be placed",
       "`gantry capacity` answers for the driver.", "a count that leaves the disk out", "ext/capacity.h",
       capacity_equals_placing},
      {"unknown-code-is-a-failure", Grade::silver, "An unknown code of a pick is returned as it is",
       "A later host may have more codes.", "switch (code) without default", "driver.h, convention 3",
       unknown_code_of_a_service},
  });
}

}  // namespace gantry::conformance
