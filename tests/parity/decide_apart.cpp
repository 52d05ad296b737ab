// SPDX-License-Identifier: Apache-2.0
//
// Decides recorded requests of Nova with the filter driver in this process and in one of its own, and compares all that
// the two hand over, to the last bit of each weight.
//
//   decide_apart DRIVER_FILE < LINES
//
// LINES: from isolated_decisions.py, a JSON object each with id, kind, options, fleet and request. Prints how many agree, by
// kind, and the first that differ. Exit status 0: none differs; 1: some do, or there were none; 2: a line made no sense.
#include <array>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/document_load.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/service/settings.hpp"

namespace gantry {
namespace {

using drivers::from_abi;

constexpr fleet::Nanoseconds now = 1'800'000'000'000'000'000;
constexpr std::uint64_t seed = 4711;

// Notes all that the driver hands over.
class Notes : public drivers::Sink {
 public:
  gantry_code pick(const drivers::Pick& pick) override { return note("pick", pick); }
  gantry_code alternate(const drivers::Pick& alternate) override { return note("alternate", alternate); }
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override {
    text.append("refuse ").append(std::to_string(instance)).append(" ").append(reason).append("\n");
    return GANTRY_OK;
  }
  void explain(const gantry_step& step) override {
    text.append("step ").append(from_abi(step.name)).append(" ").append(std::to_string(step.hosts_in));
    text.append(" ").append(std::to_string(step.hosts_out)).append(" ").append(from_abi(step.reason)).append("\n");
  }
  gantry_code explain_host(const gantry_host_explanation& host) override {
    text.append("host ").append(std::to_string(host.row)).append(" ").append(std::to_string(host.rank));
    add(host.weight);
    for (std::uint32_t at = 0; at < host.verdict_count; ++at) {
      const auto& verdict = host.verdicts[at];
      text.append(" ").append(from_abi(verdict.name)).append(" ").append(std::to_string(verdict.passed));
      text.append(" ").append(from_abi(verdict.reason));
    }
    for (std::uint32_t at = 0; at < host.term_count; ++at) {
      text.append(" ").append(from_abi(host.terms[at].name));
      for (const double part : {host.terms[at].raw, host.terms[at].normalized, host.terms[at].multiplier}) add(part);
    }
    text.append("\n");
    return GANTRY_OK;
  }
  gantry_code claim(const gantry_claim& /*claim*/) override { return GANTRY_UNSUPPORTED; }
  gantry_code reply(std::string_view /*json*/) override { return GANTRY_UNSUPPORTED; }
  gantry_code cast(const gantry_cast& /*cast*/) override { return GANTRY_UNSUPPORTED; }

  std::string text;
  bool has_picked = false;

 private:
  void add(double number) {
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), " %a", number);
    text.append(digits.data());
  }
  gantry_code note(const char* what, const gantry_pick& choice) {
    has_picked = true;
    text.append(what).append(" ").append(std::to_string(choice.instance)).append(" ");
    text.append(std::to_string(choice.row));
    for (const double number : {choice.weight, choice.limits.vcpu, choice.limits.memory_mb, choice.limits.disk_gb})
      add(number);
    text.append(" ").append(from_abi(choice.limits.other));
    for (std::uint32_t at = 0; at < choice.item_count; ++at) {
      text.append(" ").append(from_abi(choice.items[at].resource));
      add(choice.items[at].amount);
    }
    text.append("\n");
    return GANTRY_OK;
  }
};

Error senseless(const std::string& what) {
  return {ErrorCode::invalid_argument, "expected a line of isolated_decisions.py, found " + what, {}};
}

config::OptionValue option_of(const json::value& value) {
  if (value.is_bool()) return value.as_bool();
  if (value.is_int64()) return value.as_int64();
  if (value.is_double()) return value.as_double();
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_array()) {
    std::vector<std::string> texts;
    for (const auto& each : value.as_array()) texts.emplace_back(each.as_string());
    return texts;
  }
  std::map<std::string, std::string> table;
  for (const auto& [key, text] : value.as_object()) table.emplace(key, text.as_string());
  return table;
}

// One recorded request, with a fleet of its own.
class Case {
 public:
  Case(std::string driver_file, json::object line) : file_(std::move(driver_file)), line_(std::move(line)) {}

  Result<void> prepare() {
    auto document = fleet::read_document(json::write(line_.at("fleet")), "the fleet", now);
    if (!document) return std::move(document).error();
    for (auto isolation : {config::Isolation::none, config::Isolation::process}) {
      auto set = load(isolation);
      if (!set) return std::move(set).error();
      (isolation == config::Isolation::none ? here_ : apart_).emplace(*std::move(set));
    }
    fleet::load_document(*document, fleet_);
    now_ = document->now;
    return {};
  }

  Result<Notes> decide_here() { return decide(*here_); }
  Result<Notes> decide_apart() { return decide(*apart_); }

 private:
  Result<drivers::DriverSet> load(config::Isolation isolation) {
    config::Settings settings;
    settings.scheduler_driver = {"filter"};
    auto& section = settings.drivers["filter"];
    section.path = file_;
    section.isolation = isolation;
    for (const auto& [name, value] : line_.at("options").as_object())
      section.options[std::string(name)] = {option_of(value), "the record"};
    return drivers::load_drivers(
        settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(),
        [&](const drivers::Manifest& manifest) { return scheduling::declare(fleet_, manifest, settings); });
  }

  Result<Notes> decide(const drivers::DriverSet& set) {
    auto spec = scheduling::parse_request_spec(line_.at("request"), {}, {});
    if (!spec) return std::move(spec).error();
    const auto moment = fleet_.pin(now_);
    Notes notes;
    drivers::DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view("compute");
    settings.sink = &notes;
    settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    settings.now = now_;
    settings.seed = seed;
    if (settings.view == nullptr) return senseless("a fleet without hosts");
    drivers::DriverCall call(std::move(settings));
    auto& driver = *set.for_topic("compute");
    const auto* const group = spec->group ? &*spec->group : nullptr;
    const auto* const request =
        scheduling::build_driver_request(call, driver, *spec, group, 3, GANTRY_EXPLAIN_ALL_FILTERS);
    const auto decided = driver.select_destinations(call, *request);
    notes.text += decided ? "decided" : decided.error().message;
    return notes;
  }

  const std::string file_;
  const json::object line_;
  gantry_context context_{sizeof(gantry_context), 0, {}, {}, {}, {}, {}, {}};
  fleet::Fleet fleet_{{}};
  fleet::Nanoseconds now_ = now;
  std::optional<drivers::DriverSet> here_;
  std::optional<drivers::DriverSet> apart_;
};

struct Count {
  std::uint64_t alike = 0;
  std::uint64_t picked = 0;
  std::uint64_t unlike = 0;
  std::uint64_t unusable = 0;
};

class Comparison {
 public:
  explicit Comparison(std::string driver_file) : file_(std::move(driver_file)) {}

  Result<void> take(const std::string& text) {
    auto read = json::parse(text);
    if (!read) return std::move(read).error();
    const auto* const line = read->if_object();
    if (line == nullptr) return senseless(text);
    auto& count = counts_[std::string(line->at("kind").as_string())];
    const std::string id(line->at("id").as_string());
    Case each(file_, *line);
    if (Result<void> prepared = each.prepare(); !prepared) {
      ++count.unusable;
      ++reasons_[prepared.error().message];
      return {};
    }
    const auto here = each.decide_here();
    const auto apart = each.decide_apart();
    const std::string found_here = here ? here->text : here.error().message;
    const std::string found_apart = apart ? apart->text : apart.error().message;
    if (here && here->has_picked) ++count.picked;
    if (found_here == found_apart) {
      ++count.alike;
      return {};
    }
    ++count.unlike;
    if (++shown_ <= 5)
      std::printf("%s\nhere:\n%s\napart:\n%s\n\n", id.c_str(), found_here.c_str(), found_apart.c_str());
    return {};
  }

  bool print() const {
    Count all;
    std::printf("%-20s %9s %9s %9s %9s\n", "kind", "alike", "picked", "unlike", "unusable");
    const auto print_one = [](const char* kind, const Count& count) {
      std::printf("%-20s %9lu %9lu %9lu %9lu\n", kind, count.alike, count.picked, count.unlike, count.unusable);
    };
    for (const auto& [kind, count] : counts_) {
      print_one(kind.c_str(), count);
      all.alike += count.alike;
      all.picked += count.picked;
      all.unlike += count.unlike;
      all.unusable += count.unusable;
    }
    print_one("all", all);
    for (const auto& [reason, times] : reasons_) std::printf("%lu unusable: %s\n", times, reason.c_str());
    return all.unlike == 0 && all.picked != 0;
  }

 private:
  const std::string file_;
  std::map<std::string, Count> counts_;
  std::map<std::string, std::uint64_t> reasons_;
  int shown_ = 0;
};

int run(const std::string& driver_file) {
  if (const auto shared = fleet::share_cells(); !shared) {
    std::fprintf(stderr, "decide_apart: %s\n", shared.error().message.c_str());
    return 2;
  }
  Comparison comparison(driver_file);
  for (std::string line; std::getline(std::cin, line);) {
    if (const auto taken = comparison.take(line); !taken) {
      std::fprintf(stderr, "decide_apart: %s\n", taken.error().message.c_str());
      return 2;
    }
  }
  return comparison.print() ? 0 : 1;
}

}  // namespace
}  // namespace gantry

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: decide_apart DRIVER_FILE < LINES\n");
    return 2;
  }
  return gantry::run(argv[1]);
}
