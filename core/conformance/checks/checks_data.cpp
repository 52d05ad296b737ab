// SPDX-License-Identifier: Apache-2.0
//
// Rules about what a unit reads, and about its state, chance and threads.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

namespace gantry::conformance {
namespace {

using testing::picked;

// Returns the first line in which the texts differ, of both. Empty if they are equal.
Verdict same(const std::string& expected, const std::string& found, const std::string& what) {
  if (expected == found) return {};
  std::size_t at = 0;
  while (at < expected.size() && at < found.size() && expected[at] == found[at]) ++at;
  const std::size_t begin = at < 40 ? 0 : at - 40;
  return failed(what + ": ..." + expected.substr(begin, 100), "..." + found.substr(begin, 100));
}

// Plays the scenes as play_all does, to an instance that there is. `beside` is played each scene first; nullptr: none.
std::string play_to(Instance& instance, Subject& subject, const Unit& unit, Instance* beside = nullptr) {
  std::string text;
  int count = 0;
  for (const Scene& scene : scenes(unit, subject.seed())) {
    Host other(unit, subject, scene.rows);
    Host host(unit, subject, scene.rows);
    if (++count % 2 == 0) host.context.remote_address = other.context.remote_address = "192.0.2.1";
    if (beside != nullptr) beside->play(other, scene.request);
    text += instance.play(host, scene.request) + "\n";
  }
  return text;
}

Verdict declared_columns(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    for (const Scene& scene : scenes(unit, subject.seed())) {
      Host host(unit, subject, scene.rows);
      instance->play(host, scene.request);
      if (!host.undeclared.empty())
        return failed("columns that the manifest names", "a read of '" + *host.undeclared.begin() + "'");
    }
    return Verdict{};
  });
}

Verdict values_behind_nulls(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    std::string texts[2];
    for (const int poison : {0, 1}) {
      const auto instance = Instance::create(unit, subject, options_for(subject, unit));
      for (std::uint64_t fleets = 0; fleets < 6; ++fleets) {
        Host host(unit, subject, fleet(unit, subject.seed() + fleets, 40, true));
        host.poison = poison;
        texts[poison] += instance->play(host, small_request(1)) + "\n";
      }
    }
    return same(texts[0], texts[1], "the same decision, for each value behind a null");
  });
}

Verdict complete_rows_alone(Subject& subject) {
  return each_decider(subject, [&](const Unit& unit) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    for (std::uint64_t fleets = 0; fleets < 6; ++fleets) {
      Host host(unit, subject, fleet(unit, subject.seed() + fleets, 40, true));
      const std::vector<std::uint64_t> complete = host.view(host.topic())->complete(host.needs);
      for (const picked& pick : instance->select(host, small_request(1)).picks)
        if ((complete[pick.row / 64] >> (pick.row % 64) & 1) == 0)
          return failed("no host without a value in columns.needs", "a pick of " + pick.host);
    }
    return Verdict{};
  });
}

Verdict same_seed_same_decision(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    if (unit.decides_from_history) return not_applicable("the manifest says decides_from = 'history'");
    const OptionValues options = options_for(subject, unit);
    const std::string first = play_all(subject, unit, options, subject.seed());
    return same(first, play_all(subject, unit, options, subject.seed()), "the decision of the first time");
  });
}

std::string play_each_unit(Subject& subject) {
  std::string text;
  for (const Unit& unit : subject.units()) text += play_all(subject, unit, options_for(subject, unit), subject.seed());
  return text;
}

// Plays in the child. An exception ends the child: the parent meets the same one and tells it.
[[noreturn]] void play_into(int pipe, Subject& subject) noexcept {
  [[maybe_unused]] void* const moves_addresses =
      ::mmap(nullptr, std::size_t{37} << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const std::string moved(100'000, 'm');
  const std::string text = play_each_unit(subject);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t sent = ::write(pipe, text.data() + at, text.size() - at);
    if (sent <= 0) break;
    at += static_cast<std::size_t>(sent);
  }
  ::_exit(0);
}

// The process parts before the file is loaded. The child moves its addresses, as a second start would.
Verdict same_in_another_process(Subject& subject) {
  if (subject.manifest().decides_from == drivers::DecidesFrom::history)
    return not_applicable("the manifest says decides_from = 'history'");
  std::array<int, 2> ends{};
  const bool has_pipe = ::pipe(ends.data()) == 0;
  const pid_t child = has_pipe ? ::fork() : -1;
  if (child < 0) return failed("a second process", "none");
  if (child == 0) play_into(ends[1], subject);
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return same(text, play_each_unit(subject), "the decisions of another process");
}

Verdict same_call_again(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    if (unit.decides_from_history) return not_applicable("the manifest says decides_from = 'history'");
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    std::string texts[2];
    for (std::string& text : texts)
      for (const Scene& scene : scenes(unit, subject.seed())) {
        Host host(unit, subject, scene.rows);
        text += instance->play(host, scene.request) + "\n";
      }
    return same(texts[0], texts[1], "the decision of the first time, by the same instance");
  });
}

Verdict survives_the_first_one(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    const OptionValues options = options_for(subject, unit);
    const std::string alone = play_all(subject, unit, options, subject.seed());
    auto first = Instance::create(unit, subject, options);
    const auto second = Instance::create(unit, subject, options);
    if (second == nullptr) return failed("a second instance", "a create that failed");
    first.reset();
    const std::string text = play_to(*second, subject, unit);
    return unit.decides_from_history ? Verdict{} : same(alone, text, "the decisions of an instance alone");
  });
}

// Returns other options than the usual ones, for an instance that stands beside another. Empty if there are none.
OptionValues other_options(const Unit& unit, OptionValues values) {
  for (const drivers::OptionDeclaration& option : unit.options) {
    if (option.type == GANTRY_OPTION_BOOLEAN && option.default_value)
      values[option.name].value = !std::get<bool>(*option.default_value);
    if (option.type == GANTRY_OPTION_INTEGER && option.maximum)
      values[option.name].value = static_cast<std::int64_t>(*option.maximum);
    if (option.type == GANTRY_OPTION_REAL && option.maximum) values[option.name].value = *option.maximum;
  }
  return values;
}

Verdict interleaved_instances(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    const OptionValues options = options_for(subject, unit);
    const std::string alone = play_all(subject, unit, options, subject.seed());
    const auto first = Instance::create(unit, subject, options);
    auto second = Instance::create(unit, subject, other_options(unit, options));
    if (second == nullptr) second = Instance::create(unit, subject, options);
    if (first == nullptr || second == nullptr) return failed("two instances", "a create that failed");
    const std::string text = play_to(*first, subject, unit, second.get());
    return unit.decides_from_history ? Verdict{} : same(alone, text, "the decisions of an instance alone");
  });
}

Verdict creates_and_destroys(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    for (int round = 0; round < 20; ++round) {
      testing::outcome refusal;
      if (Instance::create(unit, subject, options_for(subject, unit), &refusal) == nullptr)
        return failed("a create that succeeds", "round " + std::to_string(round) + ": " + refusal.sentence);
    }
    return Verdict{};
  });
}

Verdict under_contention(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    if (!unit.is_reentrant) return not_applicable("the manifest says threads = 'serial'");
    if (unit.decides_from_history) return not_applicable("the manifest says decides_from = 'history'");
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    const std::vector<Scene> played = scenes(unit, subject.seed());
    const auto play = [&] {
      std::string text;
      for (const Scene& scene : played) {
        Host host(unit, subject, scene.rows);
        text += instance->play(host, scene.request) + "\n";
      }
      return text;
    };
    const std::string alone = play();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        for (int round = 0; round < 4; ++round)
          if (play() != alone) ++wrong;
      });
    for (std::thread& thread : threads) thread.join();
    if (wrong == 0) return Verdict{};
    return failed("the decisions of one thread in four", std::to_string(wrong) + " of 16 differ");
  });
}

}  // namespace

std::vector<Rule> data_rules() {
  return {
      {"declared-columns", Grade::bronze, "Only columns that the manifest names are read",
       "The host keeps a column, and gives its row a value in `complete`, only if the manifest names the column.",
       "view.find(\"free_ram_mb\") with needs = ['up']", "driver.h, gantry_host.column; manifest.md", declared_columns},
      {"values-behind-nulls", Grade::bronze, "The value of a null row decides nothing",
       "A null row's value has no meaning: it may be large, NaN or a code outside of the dictionary.",
       "values[row] without a look at complete or validity", "driver.h, gantry_column.values", values_behind_nulls},
      {"complete-rows-alone", Grade::bronze, "A host that lacks a needed value is passed over",
       "The manifest says that the driver cannot judge such a host.", "a loop that does not read `complete`",
       "driver.h, gantry_request.complete", complete_rows_alone},
  };
}

std::vector<Rule> state_rules() {
  return {
      {"same-seed-same-decision", Grade::bronze, "The same input and seed give the same decision",
       "Decisions are recorded, to be made again. rand() and clocks cannot be.", "rand() % count",
       "driver.h, convention 10", same_seed_same_decision},
      {"same-in-another-process", Grade::silver, "Another process decides the same",
       "A decision is made again by another process: a trial, a record that is played, an isolated driver.",
       "std::map<const host*, double>, in the order of addresses", "driver.h, convention 10", same_in_another_process},
      {"same-call-again", Grade::bronze, "An instance decides the same call as it did before",
       "A cache or a counter must not change decisions.", "static int next; rows[next++ % count]",
       "driver.h, convention 10", same_call_again},
      {"outlives-the-first-instance", Grade::bronze, "An instance works after an earlier one was destroyed",
       "A reload makes a second instance and destroys the first.", "static struct state state; free in destroy",
       "driver.h, gantry_driver_ops.create", survives_the_first_one},
      {"instances-are-apart", Grade::bronze, "Two instances with different options do not disturb each other",
       "State in static variables belongs to the last create.", "static int64_t reserve;",
       "driver.h, gantry_driver_ops.create", interleaved_instances},
      {"creates-and-destroys", Grade::silver, "Twenty instances can be made and destroyed in turn",
       "Each reload makes one.", "a create that succeeds once", "driver.h, gantry_driver_ops.create",
       creates_and_destroys},
      {"threads-as-declared", Grade::silver, "A re-entrant unit decides in four threads as in one",
       "The host calls a re-entrant driver from many threads at once.", "a scratch buffer in the instance",
       "driver.h, convention 6", under_contention},
  };
}

}  // namespace gantry::conformance
