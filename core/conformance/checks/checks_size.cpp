// SPDX-License-Identifier: Apache-2.0
//
// Rules about sizes, time, odd input and hosts of the future.
#include <chrono>
#include <functional>
#include <limits>
#include <set>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

namespace gantry::conformance {
namespace {

using testing::fake_request;
using testing::host_row;

// Plays one request on a fleet of so many hosts, with what `bend` changes of host and request.
Verdict plays(Subject& subject, std::size_t hosts, const std::function<void(Host&, fake_request&)>& bend,
              std::uint32_t instances = 1) {
  return each_unit(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    if (instance == nullptr) return failed("an instance", "a create that failed");
    Host host(unit, subject, fleet(unit, subject.seed(), hosts));
    fake_request request = small_request(instances);
    bend(host, request);
    instance->play(host, request);
    return Verdict{};
  });
}

Verdict no_rows(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    Host host(unit, subject, {});
    if (unit.driver == nullptr || unit.driver->select_destinations == nullptr) {
      instance->play(host, small_request());
      return Verdict{};
    }
    const testing::outcome outcome = instance->select(host, small_request());
    if (outcome.code == GANTRY_NO_VALID_HOST) return Verdict{};
    if (outcome.code == GANTRY_UNSUPPORTED && !subject.manifest().methods.empty())
      return not_applicable("the driver places nothing but by its methods");
    return failed("'no valid host' without hosts", "code " + std::to_string(outcome.code));
  });
}
Verdict one_row(Subject& subject) {
  return plays(subject, 1, [](Host&, fake_request& request) { request.alternates = 3; });
}
Verdict many_rows(Subject& subject) {
  return plays(subject, 100'000, [](Host&, fake_request&) {});
}
Verdict many_instances(Subject& subject) {
  return plays(
      subject, 300, [](Host&, fake_request& request) { request.alternates = 2; }, 200);
}

Verdict odd_request_texts(Subject& subject) {
  for (const std::string& text : odd_texts()) {
    Verdict verdict = plays(subject, 10, [&](Host& host, fake_request& request) {
      request.flavor = request.availability_zone = request.requested_host = text;
      request.force_hosts = {text};
      request.hints = {{text, {text, text}}, {"group", {text}}, {"same_host", {text}}, {"query", {text}}};
      request.extra_specs = {{text, text}, {"hw:cpu_policy", text}, {"hw:mem_page_size", text}, {"quota:x", text}};
      request.image_properties = {{text, text}, {"hw_architecture", text}};
      host.context.remote_address = text;
    });
    if (verdict.state == State::failed) return verdict;
  }
  return {};
}

Verdict extreme_numbers(Subject& subject) {
  for (const std::int64_t number : {std::numeric_limits<std::int64_t>::max(), std::int64_t{0},
                                    std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}}) {
    Verdict verdict = plays(subject, 10, [&](Host&, fake_request& request) {
      request.vcpus = request.memory_mb = request.root_gb = request.ephemeral_gb = request.swap_mb = number;
      request.disk_gb = number < 0 ? 0 : static_cast<double>(number);
      request.retry_attempts = static_cast<std::uint64_t>(number);
    });
    if (verdict.state == State::failed) return verdict;
  }
  return {};
}

Verdict absent_numbers(Subject& subject) {
  return plays(subject, 10, [](Host&, fake_request& request) {
    request.vcpus = request.memory_mb = request.root_gb = request.ephemeral_gb = request.swap_mb = std::nullopt;
    request.is_bfv.reset();
  });
}

Verdict extreme_hosts(Subject& subject) {
  return plays(subject, 6, [](Host& host, fake_request&) {
    auto& rows = host.rows();
    for (std::size_t index = 0; index < rows.size(); ++index) {
      rows[index].vcpus = index % 2 == 0 ? 0 : std::numeric_limits<std::int64_t>::max();
      rows[index].memory_mb = index % 3 == 0 ? std::numeric_limits<std::int64_t>::min() : 0;
      rows[index].local_gb = -1;
      rows[index].vcpus_used = 1e300;
      rows[index].cpu_allocation_ratio = index % 2 == 0 ? 1e-300 : 1e300;
    }
  });
}

Verdict odd_cells(Subject& subject) {
  for (const std::string& text :
       {std::string("null"), std::string("{}"), std::string("[]"), std::string("\"a\""), std::string("[[1]]"),
        std::string("{\"nova_object.data\":5}"), std::string("1e308")}) {
    Verdict verdict = plays(subject, 10, [&](Host& host, fake_request&) {
      for (host_row& row : host.rows())
        for (auto& [name, value] : row.columns)
          if (auto* json = std::get_if<testing::json_text>(&value)) json->text = text;
    });
    if (verdict.state == State::failed) return verdict;
  }
  return {};
}

Verdict unknown_group_policy(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    Host host(unit, subject, fleet(unit, subject.seed(), 20));
    fake_request request = small_request();
    request.group = testing::fake_group{};
    request.group->policy = "later-policy";
    request.group->members = request.instance_uuids;
    request.group->member_rows = {1};
    const testing::outcome outcome = instance->select(host, request);
    if (outcome.code == GANTRY_OK) return Verdict{};
    return failed("a decision as without a rule", "code " + std::to_string(outcome.code) + " " + outcome.sentence);
  });
}

Verdict unknown_explain_level(Subject& subject) {
  return plays(subject, 20, [](Host&, fake_request& request) { request.explain_hosts = 9; });
}

Verdict without_scratch(Subject& subject) {
  return plays(
      subject, 20, [](Host& host, fake_request&) { host.has_scratch = false; }, 2);
}

Verdict past_deadline(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    Host host(unit, subject, fleet(unit, subject.seed(), 20'000));
    host.stop = true;
    host.prepare();
    const auto begin = std::chrono::steady_clock::now();
    if (unit.driver != nullptr && unit.driver->select_destinations != nullptr)
      instance->select(host, small_request(100));
    else
      instance->play(host, small_request(100));
    const auto took = std::chrono::steady_clock::now() - begin;
    // 100 ms are allowed. The rule stands a slow machine.
    if (took < std::chrono::seconds(2)) return Verdict{};
    return failed("a return soon after the deadline",
                  std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()) + " ms of work");
  });
}

// 100 ms are allowed beyond the deadline. The rule stands a slow machine.
Verdict passing_deadline(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    for (const std::uint64_t polls : {0u, 1u, 3u, 10u, 50u}) {
      Host host(unit, subject, fleet(unit, subject.seed(), 2000));
      host.polls_until_stop = polls;
      const auto begin = std::chrono::steady_clock::now();
      const testing::outcome outcome = instance->select(host, small_request(50));
      const auto took = std::chrono::steady_clock::now() - begin;
      const std::string when = " (at poll " + std::to_string(polls + 1) + ")";
      if (took > std::chrono::seconds(2)) return failed("a return soon after the deadline", "more than 2 s" + when);
      if (outcome.code == GANTRY_OK || outcome.code == GANTRY_DEADLINE_EXCEEDED) continue;
      if (outcome.code == GANTRY_NO_VALID_HOST && host.polls <= polls) continue;
      return failed("GANTRY_DEADLINE_EXCEEDED, or the whole result",
                    "code " + std::to_string(outcome.code) + when + " " + outcome.sentence);
    }
    return Verdict{};
  });
}

Verdict strange_candidates(Subject& subject) {
  return plays(subject, 20, [](Host&, fake_request& request) {
    request.eligible = std::set<std::uint32_t>{1, 2, 3};
    request.candidates = testing::fake_candidates{};
    request.candidates->groups = {""};
    request.candidates->rows[1] = {{{"p1"}}};
  });
}

}  // namespace

std::vector<Rule> size_rules() {
  return {
      {"no-hosts", Grade::bronze, "A view without rows is answered with 'no valid host'",
       "A new site has no hosts yet.", "rows[0] of an empty list", "driver.h, gantry_view", no_rows},
      {"one-host", Grade::bronze, "A view of one row works, also with alternates", "Small sites have one host.",
       "random() % (count - 1)", "driver.h, gantry_view", one_row},
      {"a-hundred-thousand-hosts", Grade::silver, "A view of 100,000 rows works",
       "Large sites have them, and a stack has 1 MiB.", "double weights[rows] on the stack", "driver.h, gantry_view",
       many_rows},
      {"two-hundred-instances", Grade::silver, "A request for 200 instances works", "Users create clusters.",
       "uint8_t instance", "driver.h, gantry_request.instances", many_instances},
      {"odd-request-texts", Grade::bronze, "Odd texts in a request do no harm",
       "Hints, specs and names come from users: quotes, U+0000, 70,000 letters.", "sprintf(text, \"...%s\", hint)",
       "driver.h, convention 2", odd_request_texts},
      {"extreme-numbers", Grade::silver, "The largest and the lowest numbers of a request do no harm",
       "An overflow is undefined behaviour.", "int need = request->memory_mb * 1024", "driver.h, gantry_request",
       extreme_numbers},
      {"absent-numbers", Grade::silver, "A request without numbers does no harm", "Some callers leave amounts out.",
       "used / request->vcpus", "driver.h, gantry_request.present", absent_numbers},
      {"extreme-hosts", Grade::silver, "Hosts that report 0, less than 0 or very much do no harm",
       "Reports come from agents.", "free / total", "driver.h, the view", extreme_hosts},
      {"odd-cells", Grade::silver, "JSON cells of another shape do no harm",
       "A cell is what an agent reported: each JSON value is possible.", "cell.as_object() without a look",
       "driver.h, gantry_json", odd_cells},
      {"later-group-policy", Grade::silver, "An unknown group policy has no rule",
       "A later host may have more policies.", "return GANTRY_INVALID_ARGUMENT for it", "driver.h, convention 3",
       unknown_group_policy},
      {"later-explain-level", Grade::silver, "A greater explain_hosts means all filters",
       "A later host may have more levels.", "levels[request->explain_hosts]", "driver.h, convention 3",
       unknown_explain_level},
      {"without-scratch-memory", Grade::silver, "A call without scratch memory ends without a crash",
       "scratch returns NULL when the call's memory has run out.", "memset(host->scratch(...), 0, size)",
       "driver.h, gantry_host.scratch", without_scratch},
      {"past-deadline", Grade::silver, "A call whose deadline has passed returns soon",
       "The host gives a call up 100 ms after its deadline, and the driver loses a place.",
       "a long loop that does not poll should_stop", "driver.h, convention 7", past_deadline},
      {"passing-deadline", Grade::silver, "A call whose deadline passes in the middle ends with that code or a result",
       "'No valid host' would be a lie: the caller may try again.", "if (should_stop) return GANTRY_NO_VALID_HOST;",
       "driver.h, convention 7", passing_deadline},
      {"candidates-are-optional", Grade::silver, "Allocation candidates do no harm",
       "A site with placement offers them to each driver.", "candidates->rows[row] for a row without one",
       "ext/candidates.h", strange_candidates},
  };
}

}  // namespace gantry::conformance
