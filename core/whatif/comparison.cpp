// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/comparison.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/exit_report.hpp"
#include "core/drivers/next_instances.hpp"
#include "core/encoding/nearest.hpp"
#include "core/encoding/uuid.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/scheduling/request/asked_spec.hpp"
#include "core/whatif/difference.hpp"
#include "core/whatif/loading.hpp"
#include "core/whatif/side.hpp"

namespace gantry::whatif {

namespace {

using scheduling::InstanceRequest;
using scheduling::MethodCall;

constexpr std::string_view option_name = "compatibility";

// Returns the driver's option. The error says which driver has none.
Result<const drivers::OptionDeclaration*> option_of(const drivers::Manifest& manifest) {
  const auto found = std::ranges::find(manifest.options, option_name, &drivers::OptionDeclaration::name);
  if (found != manifest.options.end()) return &*found;
  return Error{ErrorCode::invalid_argument,
               "--compatibility: driver '" + manifest.id +
                   "' has no option compatibility, so that no release of Nova changes what it decides; the bundled "
                   "driver that has one is filter: --driver filter",
               {}};
}

Result<void> check_release(const std::string& name, const std::string& option, const std::vector<std::string>& known) {
  if (known.empty() || std::ranges::find(known, name) != known.end()) return {};
  std::string all;
  for (const auto& release : known) all.append(all.empty() ? "" : ", ").append(release);
  const auto near = nearest(name, known);
  return Error{ErrorCode::invalid_argument,
               option + ": expected one of " + all + ", found '" + name + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"),
               {}};
}

std::string configured_release(const config::Settings& settings, const drivers::Manifest& manifest,
                               const drivers::OptionDeclaration& option) {
  const config::OptionValue* value = option.default_value ? &*option.default_value : nullptr;
  if (const auto section = settings.drivers.find(manifest.id); section != settings.drivers.end()) {
    const auto given = section->second.options.find(std::string(option_name));
    if (given != section->second.options.end()) value = &given->second.value;
  }
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string() : *text;
}

Error all_of(const std::vector<Error>& problems) {
  Error all = problems.front();
  for (std::size_t i = 1; i < problems.size(); ++i) all.message.append("\n").append(problems[i].message);
  return all;
}

class Comparing {
 public:
  explicit Comparing(Comparison& asked) : asked_(asked), counters_(std::make_shared<telemetry::Counters>()) {}

  // The deciding parts end before the drivers do.
  ~Comparing() {
    for (const auto* side : {&before_, &after_})
      if (*side) (*side)->end();
  }
  Comparing(const Comparing&) = delete;
  Comparing& operator=(const Comparing&) = delete;

  Result<Compared> run() {
    if (auto loaded = load(); !loaded) return std::move(loaded).error();
    for (std::size_t i = 0; i < asked_.requests.size(); ++i) {
      if (asked_.progress) asked_.progress(i, asked_.requests.size());
      judge(i);
    }
    if (asked_.progress) asked_.progress(asked_.requests.size(), asked_.requests.size());
    return std::move(result_);
  }

 private:
  Result<void> load() {
    auto document = fleet::read_document(asked_.fleet, asked_.fleet_source, scheduling::now_nanoseconds());
    if (!document) return std::move(document).error();
    auto logger = logger_of(asked_.logs);
    if (!logger) return std::move(logger).error();
    logger_ = *std::move(logger);
    if (auto prepared = drivers::isolated::prepare_isolation(asked_.settings); !prepared) return prepared;
    auto drivers = load_drivers({asked_.settings, asked_.timeout, asked_.give_up}, logger_, counters_,
                                [this](const drivers::Manifest& manifest) {
                                  manifests_.push_back(manifest);
                                  return Result<void>();
                                });
    if (!drivers) return std::move(drivers).error();
    drivers_.emplace(*std::move(drivers));
    if (auto named = name_releases(); !named) return named;
    if (auto made = make_sides(*document); !made) return made;
    result_.hosts = before_->view().rows;
    if (result_.hosts == 0)
      return Error{ErrorCode::invalid_argument,
                   asked_.fleet_source + ": expected hosts of topic compute, found none: nothing can be decided on it",
                   {}};
    result_.warnings = std::move(document->warnings);
    return {};
  }

  Result<void> name_releases() {
    const auto driver = drivers_->require("compute");
    if (!driver) return driver.error();
    const auto& manifest = (*driver)->manifest();
    if (const auto why = drivers::why_unrepeatable(manifest)) return Error{ErrorCode::failed_precondition, *why, {}};
    const auto option = option_of(manifest);
    if (!option) return option.error();
    result_.driver = manifest.id;
    result_.after = asked_.after;
    result_.before = asked_.before.empty() ? configured_release(asked_.settings, manifest, **option) : asked_.before;
    if (auto checked = check_release(result_.after, "--compatibility", (*option)->choices); !checked) return checked;
    if (auto checked = check_release(result_.before, "--beside", (*option)->choices); !checked) return checked;
    if (result_.before != result_.after) return {};
    return Error{ErrorCode::invalid_argument,
                 "--compatibility and --beside: expected two releases, found '" + result_.after + "' twice" +
                     (asked_.before.empty() ? ": it is the configured one" : ""),
                 {}};
  }

  Result<void> make_sides(const fleet::Document& document) {
    for (auto [release, side] : {std::pair{&result_.before, &before_}, std::pair{&result_.after, &after_}}) {
      auto settings = asked_.settings_at(result_.driver, *release);
      if (!settings) return std::move(settings).error();
      const auto findings = drivers::judge_options(*drivers_, *settings);
      if (!findings.problems.empty()) return all_of(findings.problems);
      *side = std::make_unique<Side>(*release, *std::move(settings));
      const TimeLimit limit(asked_.timeout, "creating driver '" + result_.driver + "' for " + *release, asked_.give_up);
      auto instances = drivers::NextInstances((*side)->settings(), logger_, counters_).make(*drivers_, {});
      if (!instances) return std::move(instances).error();
      if (auto loaded = (*side)->load(manifests_, document); !loaded) return loaded;
      (*side)->begin({*drivers_, logger_, counters_}, *std::move(instances), document.now);
    }
    return {};
  }

  void judge(std::size_t index) {
    auto& asked = asked_.requests[index];
    auto made = request_of(asked);
    if (!made) return unjudged(index, std::move(made).error().message);
    auto& request = **made;
    MethodCall call;
    call.method = "select_destinations";
    call.context = std::move(asked.context);
    call.request_id = "req-" + to_text(random_uuid());
    const auto seed = asked_.seed;
    const auto within_time = [&](Side& side, const auto& work) {
      call.deadline = std::chrono::steady_clock::now() + asked_.timeout;
      const TimeLimit limit(asked_.timeout, "request " + asked.id + " by " + side.release(), asked_.give_up);
      return work();
    };
    const auto decide = [&](Side& side) { return within_time(side, [&] { return side.decide(call, request, seed); }); };
    const Outcome was = decide(*before_);
    const Outcome is = decide(*after_);
    const Tell tell = [&](Side& side, std::uint32_t row) {
      return within_time(side, [&] { return side.tell(call, request, seed, row); });
    };
    take(index, RequestComparison(*before_, was, *after_, is, tell).run());
  }

  static Result<std::unique_ptr<InstanceRequest>> request_of(Asked& asked) {
    auto spec = scheduling::asked_spec(asked.args);
    if (!spec) return std::move(spec).error();
    auto request =
        std::make_unique<InstanceRequest>(InstanceRequest{.spec = *std::move(spec),
                                                          .operation = scheduling::Operation::select_destinations,
                                                          .mode = scheduling::ClaimMode::nothing,
                                                          .is_question = true});
    return request;
  }

  void unjudged(std::size_t index, std::string reason) { result_.unjudged.push_back({index, std::move(reason)}); }

  void take(std::size_t index, Verdict verdict) {
    if (const auto* same = std::get_if<Same>(&verdict)) {
      ++result_.same;
      if (same->equal_weight) ++result_.equal_weight;
    } else if (auto* difference = std::get_if<Difference>(&verdict)) {
      difference->request = index;
      result_.differences.push_back(std::move(*difference));
    } else {
      unjudged(index, std::get<std::string>(std::move(verdict)));
    }
  }

  Comparison& asked_;
  std::shared_ptr<telemetry::Counters> counters_;
  std::shared_ptr<telemetry::Logger> logger_;
  std::vector<drivers::Manifest> manifests_;
  Compared result_;
  // The fleets outlive the drivers.
  std::unique_ptr<Side> before_;
  std::unique_ptr<Side> after_;
  std::optional<drivers::DriverSet> drivers_;
};

}  // namespace

Result<Compared> compare(Comparison comparison) {
  drivers::install_crash_report({});
  const drivers::ExitIsACrash exit_is_a_crash;
  std::optional<TimeLimit> limit_of_end;  // outlives the drivers, whose destroy it watches
  Comparing comparing(comparison);
  auto compared = comparing.run();
  limit_of_end.emplace(comparison.timeout, names_of(comparison.settings) + ", destroy", comparison.give_up);
  return compared;
}

}  // namespace gantry::whatif
