// SPDX-License-Identifier: Apache-2.0
//
// Rules about what a decision must respect.
#include <set>

#include <functional>
#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

namespace gantry::conformance {
namespace {

using testing::fake_request;
using testing::host_row;
using testing::outcome;
using testing::picked;

// Plays `request` on `rows` by select and by schedule, and calls `judge` with each outcome.
Verdict decide_both(Subject& subject, const Unit& unit, const std::vector<host_row>& rows, const fake_request& request,
                    const std::function<Verdict(const outcome&)>& judge) {
  const auto instance = Instance::create(unit, subject, options_for(subject, unit));
  if (instance == nullptr) return failed("a further create that succeeds", "a failure");
  Host first(unit, subject, rows);
  Verdict verdict = judge(instance->select(first, request));
  if (verdict.state == State::failed) return verdict;
  Host second(unit, subject, rows);
  return judge(instance->schedule(second, request));
}

// Returns the failure if a pick or alternate of the outcome is of a row for which `is_wrong` holds.
template <class IsWrong>
Verdict no_choice(const outcome& outcome, const std::string& expected, const IsWrong& is_wrong) {
  for (const auto* list : {&outcome.picks, &outcome.alternates})
    for (const picked& pick : *list)
      if (is_wrong(pick)) return failed(expected, "the choice of " + pick.host);
  return {};
}

Verdict creates(Subject& subject) {
  return each_unit(subject, [](const Unit&) { return Verdict{}; });  // which has made one of each
}

Verdict picks_a_host(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    return decide_both(subject, unit, fleet(unit, subject.seed(), 70), small_request(), [](const outcome& outcome) {
      if (outcome.code == GANTRY_OK && !outcome.picks.empty()) return Verdict{};
      return failed("a pick among 70 hosts with room", "code " + std::to_string(outcome.code) + " " + outcome.sentence);
    });
  });
}

Verdict keeps_the_contract(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    for (const Scene& scene : scenes(unit, subject.seed())) {
      Verdict verdict = decide_both(subject, unit, scene.rows, scene.request, [&](const outcome& outcome) {
        if (outcome.misuse.empty()) return Verdict{};
        return failed("results as driver.h has them", outcome.misuse.front() + " (" + scene.name + ")");
      });
      if (verdict.state == State::failed) return verdict;
    }
    return Verdict{};
  });
}

Verdict knows_its_codes(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    for (const Scene& scene : scenes(unit, subject.seed())) {
      Verdict verdict = decide_both(subject, unit, scene.rows, scene.request, [&](const outcome& outcome) {
        if (outcome.code == GANTRY_OK || outcome.code == GANTRY_NO_VALID_HOST) return Verdict{};
        return failed("GANTRY_OK or GANTRY_NO_VALID_HOST for a sound request",
                      "code " + std::to_string(outcome.code) + " (" + scene.name + ") " + outcome.sentence);
      });
      if (verdict.state == State::failed) return verdict;
    }
    return Verdict{};
  });
}

Verdict keeps_to_eligible_rows(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    fake_request request = small_request(2);
    request.alternates = 2;
    request.eligible = std::set<std::uint32_t>{3, 9, 10, 21, 33};
    return decide_both(subject, unit, fleet(unit, subject.seed(), 70), request, [](const outcome& outcome) {
      if (!outcome.lost.empty())
        return failed("no pick of a row that is not eligible", "a pick of " + outcome.lost.front().host);
      return Verdict{};
    });
  });
}

Verdict eligible_rows_are_enough(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    Host all(unit, subject, fleet(unit, subject.seed(), 70));
    const outcome free = instance->select(all, small_request());
    if (free.picks.empty()) return not_applicable("the driver picks nothing");
    fake_request request = small_request();
    request.eligible = std::set<std::uint32_t>{free.picks.front().row};
    Host one(unit, subject, fleet(unit, subject.seed(), 70));
    const outcome bound = instance->select(one, request);
    if (!bound.picks.empty()) return Verdict{};
    return failed("a pick of the one eligible row, which the driver picked among all",
                  "code " + std::to_string(bound.code));
  });
}

Verdict survives_unclaimable_rows(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    fake_request request = small_request();
    std::set<std::uint32_t> all;
    for (std::uint32_t row = 0; row < 70; ++row) all.insert(row);
    request.eligible = all;
    request.unclaimable = all;
    return decide_both(subject, unit, fleet(unit, subject.seed(), 70), request, [](const outcome& outcome) {
      const bool is_good = outcome.picks.empty() && outcome.code <= GANTRY_NO_VALID_HOST;
      return is_good ? Verdict{}
                     : failed("no valid host where no row can be claimed", "code " + std::to_string(outcome.code));
    });
  });
}

Verdict passes_over(Subject& subject, const char* what, void (*change)(host_row&, std::size_t)) {
  return each_decider(subject, [&](const Unit& unit) {
    std::vector<host_row> rows = fleet(unit, subject.seed(), 24);
    for (std::size_t index = 0; index < rows.size(); ++index) change(rows[index], index);
    fake_request request = small_request(3);
    request.alternates = 3;
    return decide_both(subject, unit, rows, request, [&](const outcome& outcome) {
      return no_choice(outcome, what, [&](const picked& pick) { return pick.row % 2 == 0; });
    });
  });
}

Verdict avoids_hosts_that_are_down(Subject& subject) {
  return passes_over(subject, "no host that is down",
                     [](host_row& row, std::size_t index) { row.up = index % 2 != 0; });
}
Verdict avoids_disabled_hosts(Subject& subject) {
  return passes_over(subject, "no disabled host",
                     [](host_row& row, std::size_t index) { row.disabled = index % 2 == 0; });
}
Verdict avoids_forced_down_hosts(Subject& subject) {
  return passes_over(subject, "no host that is forced down",
                     [](host_row& row, std::size_t index) { row.forced_down = index % 2 == 0; });
}

Verdict all_hosts_down(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    std::vector<host_row> rows = fleet(unit, subject.seed(), 24);
    for (host_row& row : rows) row.up = false;
    return decide_both(subject, unit, rows, small_request(), [](const outcome& outcome) {
      const bool refused = outcome.code == GANTRY_NO_VALID_HOST || (outcome.code == GANTRY_OK && outcome.picks.empty());
      return refused ? Verdict{} : failed("no valid host", "code " + std::to_string(outcome.code));
    });
  });
}

// Asks for one host by `ask`, which gets its name. A driver that decides as without the wish, whichever host is asked
// for, does not look at the wish: the rule does not apply to the driver.
Verdict keeps_to_wish(Subject& subject, const char* member, void (*ask)(fake_request&, const std::string&)) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto choice = [&](const std::string& host) {
      const auto instance = Instance::create(unit, subject, options_for(subject, unit));
      Host bench(unit, subject, fleet(unit, subject.seed(), 24));
      fake_request request = small_request();
      if (!host.empty()) ask(request, host);
      const outcome result = instance->select(bench, request);
      return result.picks.empty() ? "no host" : result.picks.front().host;
    };
    const std::string free = choice("");
    bool looks = false;
    std::string wrong;
    for (const char* const host : {"dev-3", "dev-6", "ops-8"}) {
      const std::string chosen = choice(host);
      looks = looks || chosen != free;
      if (chosen != host) wrong = chosen + " for " + host;
    }
    if (!looks) return not_applicable(std::string("the driver does not look at ") + member);
    return wrong.empty() ? Verdict{} : failed(std::string("the host that ") + member + " names", wrong);
  });
}

Verdict respects_force_hosts(Subject& subject) {
  return keeps_to_wish(subject, "force_hosts",
                       [](fake_request& request, const std::string& host) { request.force_hosts = {host}; });
}
Verdict respects_force_nodes(Subject& subject) {
  return keeps_to_wish(subject, "force_nodes",
                       [](fake_request& request, const std::string& host) { request.force_nodes = {host + ".node"}; });
}
Verdict respects_ignore_hosts(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    fake_request request = small_request(2);
    request.alternates = 1;
    for (int index = 0; index < 24; index += 3) request.ignore_hosts.push_back("dev-" + std::to_string(index));
    return decide_both(subject, unit, fleet(unit, subject.seed(), 24), request, [](const outcome& outcome) {
      return no_choice(outcome, "no ignored host", [](const picked& pick) { return pick.host.starts_with("dev-"); });
    });
  });
}
Verdict respects_requested_host(Subject& subject) {
  return keeps_to_wish(subject, "requested_host",
                       [](fake_request& request, const std::string& host) { request.requested_host = host; });
}

Verdict alternates_differ(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    fake_request request = small_request(2);
    request.alternates = 4;
    return decide_both(subject, unit, fleet(unit, subject.seed(), 24), request, [](const outcome& outcome) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
      for (const auto* list : {&outcome.picks, &outcome.alternates})
        for (const picked& pick : *list)
          if (!seen.emplace(pick.instance, pick.row).second)
            return failed("alternates that differ from each other and from the pick", pick.host + " twice");
      return Verdict{};
    });
  });
}

Verdict alternates_as_asked(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    fake_request request = small_request(2);
    request.alternates = 2;
    return decide_both(subject, unit, fleet(unit, subject.seed(), 24), request, [](const outcome& outcome) {
      if (outcome.alternates.size() <= 4) return Verdict{};
      return failed("at most 2 alternates for each of 2 instances", std::to_string(outcome.alternates.size()));
    });
  });
}

}  // namespace

std::vector<Rule> decision_rules() {
  return with_seeds({
      {rule_of_create, Grade::bronze, "create succeeds with the options that are given",
       "The daemon refuses a driver whose create fails. The rules behind this one are not run then.",
       "a default that create itself refuses", "driver.h, gantry_driver_ops.create", creates},
      {"picks-a-host", Grade::bronze, "A small request on a roomy fleet gets a host",
       "A driver that places nothing is of no use.", "a filter that nothing passes", "driver.h, select_destinations",
       picks_a_host},
      {"keeps-the-contract", Grade::bronze, "Each result is one that driver.h admits",
       "A call with a result that breaks the rules fails with 500.", "gantry_pick.struct_size = 0",
       "driver.h, convention 5", keeps_the_contract},
      {"sound-request-sound-code", Grade::bronze, "A sound request ends in a decision or in 'no valid host'",
       "Another code is a failure that the caller sees as 400 or 500.", "return GANTRY_INTERNAL for an unknown hint",
       "driver.h, select_destinations", knows_its_codes},
      {"keeps-to-eligible-rows", Grade::bronze, "Rows that are not eligible are passed over",
       "Placement has ruled these rows out: a pick of one is lost, and costs time.", "a loop over all rows of the view",
       "driver.h, gantry_request.eligible", keeps_to_eligible_rows},
      {"eligible-rows-are-enough", Grade::bronze, "A row that was picked among all is picked when it alone is eligible",
       "Weights and limits must not count rows that are not eligible.", "eligible[row] for eligible[row / 64]",
       "driver.h, gantry_request.eligible", eligible_rows_are_enough},
      {"survives-unclaimable-rows", Grade::bronze, "Where no row can be claimed, the answer is 'no valid host'",
       "A driver may not insist on a row that is lost.", "while (pick(row) != GANTRY_OK) {}",
       "driver.h, gantry_request.claimable", survives_unclaimable_rows},
      {"avoids-hosts-that-are-down", Grade::bronze, "No instance goes to a host that is down",
       "The instance would wait for a service that does not answer.", "a driver that does not read `up`",
       "driver.h, gantry_pick", avoids_hosts_that_are_down},
      {"avoids-disabled-hosts", Grade::bronze, "No instance goes to a disabled host",
       "Operators disable hosts for work on them.", "a driver that does not read `disabled`", "driver.h, gantry_pick",
       avoids_disabled_hosts},
      {"avoids-forced-down-hosts", Grade::bronze, "No instance goes to a host that is forced down",
       "A fenced host must not start instances.", "a driver that reads the age of heartbeats instead of `up`",
       "driver.h, the view", avoids_forced_down_hosts},
      {"all-hosts-down", Grade::bronze, "A fleet that is down is answered with 'no valid host'",
       "The answer is a result, not a failure.", "return GANTRY_INTERNAL if no host is up", "driver.h, gantry_code",
       all_hosts_down},
      {"respects-force-hosts", Grade::silver, "A driver that looks at force_hosts keeps to them",
       "Operators force a host to test it or to move an instance.", "force_hosts.items[1] of a list of one",
       "driver.h, gantry_request", respects_force_hosts},
      {"respects-force-nodes", Grade::silver, "A driver that looks at force_nodes keeps to them",
       "Operators force a node of bare metal.", "a driver that compares host names with force_nodes",
       "driver.h, gantry_request", respects_force_nodes},
      {"respects-ignore-hosts", Grade::bronze, "ignore_hosts are not chosen",
       "A migration must not end where it began.", "a driver that does not read ignore_hosts",
       "driver.h, gantry_request", respects_ignore_hosts},
      {"respects-requested-host", Grade::silver, "A driver that looks at requested_host keeps to that host",
       "A user who names a host must get that host or none.", "requested_host compared with the column node",
       "driver.h, gantry_request", respects_requested_host},
      {"alternates-differ", Grade::bronze, "Alternates differ from each other and from the pick",
       "A second try on the same host fails again.", "alternate(picked row)", "driver.h, gantry_host.alternate",
       alternates_differ},
      {"alternates-as-asked", Grade::silver, "No more alternates than the request asks for",
       "The caller tries each of them.", "an alternate for each host", "driver.h, gantry_request.alternates",
       alternates_as_asked},
  });
}

}  // namespace gantry::conformance
