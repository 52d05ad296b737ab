// SPDX-License-Identifier: Apache-2.0
//
// Rules about filters and weighers of a library, and about what drivers tell of their decisions.
#include <cmath>
#include <functional>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"
#include "gantry/ext/weigher.h"
#include "gantry/testing/json_check.hpp"

namespace gantry::conformance {
namespace {

using testing::outcome;
using Run = Instance::OfferRun;
using Words = std::vector<std::uint64_t>;

// Plays each scene to each offer, and calls `judge` with the run and the rows that went in.
Verdict each_run(Subject& subject, const std::function<Verdict(const Unit&, const Run&, const Words&)>& judge) {
  return each_offer(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    if (instance == nullptr) return failed("an instance", "a create that failed");
    for (const Scene& scene : scenes(unit, subject.seed())) {
      Host host(unit, subject, scene.rows);
      const Words before = host.view(host.topic())->complete(host.needs);
      Verdict verdict = judge(unit, instance->offer(host, scene.request), before);
      if (verdict.state == State::failed) return verdict;
    }
    return Verdict{};
  });
}

Verdict offers_succeed(Subject& subject) {
  return each_run(subject, [](const Unit&, const Run& run, const Words&) {
    if (run.code == GANTRY_OK) return Verdict{};
    return failed("GANTRY_OK for a sound request", "code " + std::to_string(run.code) + " " + run.sentence);
  });
}

Verdict clears_bits_alone(Subject& subject) {
  return each_run(subject, [](const Unit&, const Run& run, const Words& before) {
    for (std::size_t word = 0; word < before.size(); ++word)
      if ((run.rows[word] & ~before[word]) != 0) return failed("bits that are cleared alone", "a bit that was set");
    return Verdict{};
  });
}

Verdict judges_each_row_alone(Subject& subject) {
  return each_offer(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    for (const Scene& scene : scenes(unit, subject.seed())) {
      Host host(unit, subject, scene.rows);
      const std::uint64_t seed = host.seed;
      const Run all = instance->offer(host, scene.request);
      Words half = host.view(host.topic())->complete(host.needs);
      for (std::uint64_t& word : half) word &= 0x5555555555555555u;
      host.seed = seed;
      const Run some = instance->offer(host, scene.request, half);
      for (std::size_t row = 0; row < scene.rows.size(); ++row) {
        if ((half[row / 64] >> (row % 64) & 1) == 0) continue;
        const bool is_same = (all.rows[row / 64] >> (row % 64) & 1) == (some.rows[row / 64] >> (row % 64) & 1);
        const bool has_score = !all.scores.empty() && (some.rows[row / 64] >> (row % 64) & 1) != 0;
        if (is_same && (!has_score || all.scores[row] == some.scores[row])) continue;
        return failed("the same answer for a row beside other rows", "another one for row " + std::to_string(row));
      }
    }
    return Verdict{};
  });
}

Verdict scores_are_finite(Subject& subject) {
  return each_run(subject, [](const Unit& unit, const Run& run, const Words&) {
    for (std::size_t row = 0; row < run.scores.size(); ++row)
      if ((run.rows[row / 64] >> (row % 64) & 1) != 0 && !std::isfinite(run.scores[row]))
        return failed("finite scores", unit.name + " gives row " + std::to_string(row) + " one that is not");
    return Verdict{};
  });
}

Verdict bounds_are_sound(Subject& subject) {
  return each_run(subject, [](const Unit&, const Run& run, const Words&) {
    if ((run.bounds & ~3u) != 0) return failed("known bits in bounds", std::to_string(run.bounds));
    const bool both = run.bounds == (GANTRY_WEIGHER_MINVAL | GANTRY_WEIGHER_MAXVAL);
    if (!std::isfinite(run.minval) || !std::isfinite(run.maxval) || (both && run.minval > run.maxval))
      return failed("minval at most maxval, both finite",
                    std::to_string(run.minval) + " and " + std::to_string(run.maxval));
    return Verdict{};
  });
}

Verdict reasons_are_text(Subject& subject) {
  return each_run(subject, [](const Unit&, const Run& run, const Words&) {
    if (testing::is_utf8(run.reason) && run.reason.find('\n') == std::string::npos) return Verdict{};
    return failed("a reason of one line in UTF-8", "another text");
  });
}

// Plays each scene to the driver by select, and calls `judge` with the outcome.
Verdict each_selection(Subject& subject, std::uint32_t explain,
                       const std::function<Verdict(const Scene&, const outcome&)>& judge) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    for (Scene& scene : scenes(unit, subject.seed())) {
      Host host(unit, subject, scene.rows);
      scene.request.explain_hosts = explain;
      Verdict verdict = judge(scene, instance->select(host, scene.request));
      if (verdict.state == State::failed) return verdict;
    }
    return Verdict{};
  });
}

Verdict explains_no_valid_host(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    auto rows = fleet(unit, subject.seed(), 10);
    for (auto& row : rows) row.up = false;
    Host host(unit, subject, rows);
    const outcome result = instance->select(host, small_request());
    return result.steps.empty() ? failed("steps that tell where the hosts went", "none") : Verdict{};
  });
}

Verdict steps_add_up(Subject& subject) {
  return each_selection(subject, 0, [](const Scene& scene, const outcome& outcome) {
    for (std::size_t at = 0; at < outcome.steps.size(); ++at) {
      const testing::explained& step = outcome.steps[at];
      const std::string name = "step '" + step.name + "' (" + scene.name + ")";
      if (step.hosts_out > step.hosts_in || step.hosts_in > scene.rows.size())
        return failed("no more hosts out than in", name);
      if (at == 0 || outcome.steps[at - 1].instance != step.instance) continue;
      if (outcome.steps[at - 1].hosts_out != step.hosts_in)
        return failed("as many hosts in as the step before left", name);
    }
    return Verdict{};
  });
}

Verdict has_one_sentence(Subject& subject) {
  return each_selection(subject, 0, [](const Scene& scene, const outcome& outcome) {
    if (outcome.code != GANTRY_NO_VALID_HOST || !outcome.sentence.empty()) return Verdict{};
    return failed("a sentence with 'no valid host'", "none (" + scene.name + ")");
  });
}

Verdict host_explanations(Subject& subject) {
  return each_selection(subject, GANTRY_EXPLAIN_ALL_FILTERS, [](const Scene& scene, const outcome& outcome) {
    if (outcome.host_explanations.size() >= scene.rows.size()) return Verdict{};
    return failed("an explanation of each host", std::to_string(outcome.host_explanations.size()) + " of " +
                                                     std::to_string(scene.rows.size()) + " (" + scene.name + ")");
  });
}

Verdict logs_little(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    Host host(unit, subject, fleet(unit, subject.seed(), 500));
    instance->play(host, small_request(2));
    if (host.lines <= 20) return Verdict{};
    return failed("at most 20 lines of level info or above for a request of 2 instances", std::to_string(host.lines));
  });
}

Verdict log_lines_are_sound(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    for (const Scene& scene : scenes(unit, subject.seed())) {
      Host host(unit, subject, scene.rows);
      instance->play(host, scene.request);
      if (!host.bad_line.empty()) return failed("lines with a text and a level of driver.h", host.bad_line);
    }
    return Verdict{};
  });
}

}  // namespace

std::vector<Rule> offer_rules() {
  return with_seeds({
      {"offers-succeed", Grade::bronze, "A filter or weigher succeeds for a sound request",
       "Another code ends the driver's whole call.", "return GANTRY_INVALID_ARGUMENT without the hint",
       "ext/filter.h, keep; ext/weigher.h, weigh", offers_succeed},
      {"clears-bits-alone", Grade::bronze, "A filter clears bits and sets none",
       "A bit that is set brings back a host that another filter removed.", "rows[word] = ~rejected",
       "ext/filter.h, gantry_filter_run.rows", clears_bits_alone},
      {"judges-each-row-alone", Grade::bronze, "The answer for a row does not depend on the other rows of the call",
       "The driver calls again with only the rows that have changed.", "score - average of the rows",
       "ext/filter.h, keep; ext/weigher.h, weigh", judges_each_row_alone},
      {"scores-are-finite", Grade::bronze, "Scores are finite numbers", "A NaN makes each comparison false.",
       "used / total with total = 0", "ext/weigher.h, gantry_weigher_run.raw", scores_are_finite},
      {"bounds-are-sound", Grade::silver, "The ends of a weigher's scale are finite and in order",
       "Normalized weights would leave 0 to 1.", "minval = 1, maxval = 0", "ext/weigher.h, gantry_weigher_run",
       bounds_are_sound},
      {"reasons-are-text", Grade::silver, "Reasons are one line in UTF-8", "Operators read them in a table.",
       "a reason with a newline", "ext/filter.h, gantry_filter_reason", reasons_are_text},
  });
}

std::vector<Rule> telling_rules() {
  return {
      {"explains-no-valid-host", Grade::gold, "'No valid host' comes with the steps that led to it",
       "The steps answer the first question of each user.", "a driver without gantry_host.explain",
       "driver.h, gantry_step", explains_no_valid_host},
      {"steps-add-up", Grade::gold, "A step begins with as many hosts as the step before left",
       "Figures that do not add up mislead.", "hosts_in = rows for each step", "driver.h, gantry_step", steps_add_up},
      {"says-why-no-host", Grade::gold, "'No valid host' comes with a sentence", "Callers show the sentence to users.",
       "return GANTRY_NO_VALID_HOST without gantry_host.fail", "driver.h, convention 5", has_one_sentence},
      {"explains-each-host", Grade::gold, "A request for explanations gets one for each host",
       "`gantry select --explain` shows why each host was passed over.", "no use of gantry.explain/1", "ext/explain.h",
       host_explanations},
      {"logs-little", Grade::gold, "A decision writes few log lines", "A line for each host is a flood.",
       "log(info, \"looking at \" + host)", "driver.h, gantry_host.log", logs_little},
      {"log-lines-are-sound", Grade::silver, "Log lines have a text and a level", "Logs are filtered by level.",
       "log(host, call, 7, ...)", "driver.h, gantry_host.log", log_lines_are_sound},
  };
}

}  // namespace gantry::conformance
