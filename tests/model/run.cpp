// SPDX-License-Identifier: Apache-2.0
#include "tests/model/run.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/model/shrink.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::model {

namespace {

constexpr std::size_t steps_between_lists = 20;

// No heartbeat grows old and no claim ends while a sequence runs.
fleet::FleetSettings timeless() {
  fleet::FleetSettings settings;
  settings.service_down_time = 86'400'000'000'000;
  settings.claim_max_age = 86'400'000'000'000;
  return settings;
}

class Run {
 public:
  Run(const std::string& driver, Model model) : manager_(driver, timeless()), model_(std::move(model)) {}

  // The failure, if there is one.
  std::optional<Failure> step(std::size_t number, const Step& step) {
    if (step.method == "restart") {
      manager_.restart();
      model_.restart();
      return list_everything(number);
    }
    if (step.method == "prepare_successor") {
      manager_.prepare_successor();
      return std::nullopt;
    }
    auto args = step.args;
    for (auto& member : args) {
      if (!member.value().is_object()) continue;
      const auto& meant = member.value().get_object();
      const auto cast = json::find_integer(meant, "$cast");
      const auto building = json::find_integer(meant, "$building");
      if (cast) member.value() = model_.cast_at(*cast);
      if (building) member.value() = model_.building_at(*building);
    }
    if (auto failure = ask(number, step.method, args, step.key)) return failure;
    if (!model_.unseen_casts.empty()) return ask(number, "list_casts", {}, {});
    return std::nullopt;
  }

  std::optional<Failure> list_everything(std::size_t number) {
    for (const auto* method : {"list_services", "list_hosts", "list_aggregates", "list_groups", "list_instances",
                               "list_claims", "list_casts", "list_build_failures", "status"}) {
      if (auto failure = ask(number, method, {}, {})) return failure;
    }
    return ask(number, "list_hosts", {{"topic", "storage"}}, {});
  }

 private:
  std::optional<Failure> ask(std::size_t number, const std::string& method, const json::object& args,
                             const std::string& key) {
    const auto began = std::chrono::steady_clock::now();
    const auto reply = manager_.call(method, json::write(args), key);
    auto complaint = model_.take({method, args, key, began}, reply);
    if (complaint.empty()) return std::nullopt;
    return Failure{number, method, std::move(complaint)};
  }

  scheduling::RunningManager manager_;
  Model model_;
};

}  // namespace

Model model_for(const std::string& driver) {
  return Model(driver == "simple");
}

std::optional<Failure> run(const std::string& driver, const std::vector<Step>& steps, Model model) {
  Run run(driver, std::move(model));
  for (std::size_t number = 0; number < steps.size(); ++number) {
    if (auto failure = run.step(number, steps[number])) return failure;
    if (number % steps_between_lists != 0) continue;
    if (auto failure = run.list_everything(number)) return failure;
  }
  return run.list_everything(steps.empty() ? 0 : steps.size() - 1);
}

std::string report(const std::string& driver, const std::vector<Step>& steps, const Model& model,
                   const Failure& failure, std::string& path) {
  const auto failing = steps.begin() + static_cast<std::ptrdiff_t>(failure.step) + 1;
  const auto shortest = shrink(
      {steps.begin(), failing}, [&](const std::vector<Step>& fewer) { return run(driver, fewer, model).has_value(); },
      std::chrono::minutes(2));
  const char* const directory = std::getenv("GANTRY_MODEL_DIRECTORY");
  path = (std::filesystem::absolute(directory == nullptr ? "." : directory) / ("model-" + driver + ".steps")).string();
  const auto text = to_text(shortest);
  std::ofstream(path) << "{\"method\":\"driver\",\"args\":{\"name\":\"" << driver << "\"}}\n" << text;
  const auto shown = run(driver, shortest, model).value_or(failure);
  return "the answer to " + shown.method + " is wrong: " + shown.complaint + "\nafter these " +
         std::to_string(shortest.size()) + " calls, of " + std::to_string(failure.step + 1) + ":\n" + text +
         "run them again with GANTRY_MODEL_REPLAY=" + path;
}

}  // namespace gantry::model
