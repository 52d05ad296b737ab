// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/select.hpp"
#include "core/cli/commands/whatif_comparison.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/host_explanations.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/read_file.hpp"
#include "core/config/keys.hpp"
#include "core/whatif/whatif.hpp"

namespace gantry::cli {

namespace {

constexpr std::size_t largest_fleet = std::size_t{4} << 30U;
// Prints each host's terms for smaller fleets only.
constexpr std::size_t bytes_of_small_fleet = std::size_t{8} << 20U;

// The configuration of the daemon, but for what the command line says of the driver.
Result<config::Settings> settings_of(Session& session, const Arguments& arguments,
                                     const std::vector<std::string>& assignments = {}) {
  config::Sources sources = session.sources();
  if (arguments.has("driver") && !config::is_driver_id(arguments.text("driver")))
    return Error{ErrorCode::invalid_argument,
                 "--driver: expected the name of a driver (letters, digits, _ and -), found '" +
                     arguments.text("driver") + "'; --driver-dir says where its file is",
                 ""};
  if (arguments.has("driver"))
    sources.overrides.push_back("scheduler_driver=[" + json::write(json::value(arguments.text("driver"))) + "]");
  sources.overrides.insert(sources.overrides.end(), assignments.begin(), assignments.end());
  auto loaded = config::load(sources);
  if (!loaded) return std::move(loaded).error();
  // With further assignments the configuration is read once more.
  if (assignments.empty())
    for (const std::string& warning : loaded->warnings) print_warning(session, warning);
  config::Settings settings = std::move(loaded->settings);
  if (arguments.has("driver")) settings.scheduler_driver_origin = "--driver";
  if (arguments.has("driver-dir")) {
    settings.driver_directories.clear();
    for (const std::string& directory : arguments.all("driver-dir"))
      settings.driver_directories.push_back(std::filesystem::absolute(directory).string());
  }
  return settings;
}

std::chrono::milliseconds timeout_of(const Arguments& arguments) {
  return arguments.seconds("timeout").value_or(std::chrono::seconds(30));
}

void limit_calls(config::Settings& settings, const Arguments& arguments) {
  settings.scheduling.call_timeout = std::min(settings.scheduling.call_timeout, timeout_of(arguments));
}

Result<whatif::Question> question_of(Session& session, const Arguments& arguments) {
  whatif::Question question;
  const std::string fleet = arguments.text("fleet");
  if (fleet == "-" && arguments.text("request") == "-")
    return Error{ErrorCode::invalid_argument, "--fleet and --request: one of them can be standard input, not both", ""};
  auto settings = settings_of(session, arguments);
  if (!settings) return std::move(settings).error();
  question.settings = std::move(*settings);
  auto text = read_file(session, fleet, largest_fleet);
  if (!text) return std::move(text).error();
  question.fleet = std::move(*text);
  question.fleet_source = fleet == "-" ? "standard input" : fleet;
  auto request = asked_request(session, arguments);
  if (!request) return std::move(request).error();
  question.args = std::move(request->args);
  question.context = std::move(request->context);
  for (const auto& [key, value] : session.context()) question.context[key] = value;
  const bool all = arguments.flag("all-filters") || question.fleet.size() <= bytes_of_small_fleet;
  question.args["explain"] = all ? "all_filters" : "hosts";
  if (const auto alternates = arguments.integer("alternates")) {
    question.args["return_alternates"] = true;
    question.args["alternates"] = *alternates;
  }
  if (const auto seed = arguments.integer("seed")) question.seed = static_cast<std::uint64_t>(*seed);
  question.timeout = timeout_of(arguments);
  limit_calls(question.settings, arguments);
  question.logs = arguments.flag("debug");
  // The thread of the command is inside the driver and does nothing else any more.
  question.give_up = [&session](const Error& error) {
    print_error(session, error);
    session.err().flush();
    std::_Exit(exit_code::of(error.code));
  };
  return question;
}

void show(Session& session, const Arguments& arguments, json::value answer, bool is_placed) {
  json::object* decision = answer.get_object()["decision"].if_object();
  if (decision != nullptr && !arguments.flag("all-filters")) end_at_rejection(*decision);
  if (session.format() == OutputFormat::json) return print_json(session, answer);
  const json::value& destinations = answer.get_object()["destinations"];
  if (is_placed || session.format() != OutputFormat::table)
    print_table(session, answer, destinations_table(destinations));
  if (session.format() != OutputFormat::table || decision == nullptr) return;
  if (is_placed) print_decision(session, *decision);
  print_host_explanations(session, *decision);
}

Result<int> compare(Session& session, const Arguments& arguments) {
  if (arguments.has("all-filters"))
    return Error{ErrorCode::invalid_argument,
                 "--all-filters: does not go with --compatibility, which names the rule of each difference", ""};
  const std::string fleet = arguments.text("fleet");
  auto text = read_file(session, fleet, largest_fleet);
  if (!text) return std::move(text).error();
  const auto settings_with = [&](const std::vector<std::string>& assignments) {
    auto settings = settings_of(session, arguments, assignments);
    if (settings) limit_calls(*settings, arguments);
    return settings;
  };
  return compare_releases(session, arguments, settings_with,
                          {std::move(*text), fleet == "-" ? "standard input" : fleet});
}

// Refuses the options of a comparison.
Result<void> check_single(const Arguments& arguments) {
  if (arguments.has("beside"))
    return Error{ErrorCode::invalid_argument,
                 "--beside: goes with --compatibility RELEASE, which compares two releases", ""};
  if (arguments.all("request").size() > 1)
    return Error{ErrorCode::invalid_argument,
                 "--request: expected one file, found " + std::to_string(arguments.all("request").size()) +
                     "; several are decided with --compatibility RELEASE, which compares two releases",
                 ""};
  return {};
}

Result<int> what_if(Session& session, const Arguments& arguments) {
  session.set_topic("");
  if (arguments.has("compatibility")) return compare(session, arguments);
  if (auto checked = check_single(arguments); !checked) return std::move(checked).error();
  auto question = question_of(session, arguments);
  if (!question) return std::move(question).error();
  auto asked = whatif::ask(std::move(*question));
  if (!asked) return std::move(asked).error();
  for (const std::string& warning : asked->warnings) print_warning(session, warning);
  if (asked->reply) {
    show(session, arguments, std::move(*asked->reply), true);
    return 0;
  }
  Error error = std::move(asked->reply).error();
  if (error.code != ErrorCode::no_valid_host) return error;
  // Without a valid host the fate of each host is the answer.
  if (auto details = json::parse_object(error.details, json::stored_depth))
    show(session, arguments, json::object{{"destinations", json::array()}, {"decision", std::move(*details)}}, false);
  return error;
}

std::vector<Option> whatif_options() {
  std::vector<Option> options{{.name = "fleet",
                               .kind = ValueKind::text,
                               .value_name = "FILE",
                               .help = "The fleet, as gantry-fleet(5) describes it; - reads standard input",
                               .required = true},
                              {.name = "driver",
                               .kind = ValueKind::text,
                               .value_name = "ID",
                               .help = "The driver that decides. Otherwise the configured one"},
                              {.name = "driver-dir",
                               .kind = ValueKind::text,
                               .value_name = "DIR",
                               .help = "Where its file is. Otherwise driver_directories of the configuration",
                               .repeatable = true}};
  auto asked = asked_request_options();
  // A comparison takes several.
  std::ranges::find(asked, "request", &Option::name)->repeatable = true;
  std::ranges::move(asked, std::back_inserter(options));
  std::ranges::move(comparison_options(), std::back_inserter(options));
  options.push_back({.name = "all-filters",
                     .help = "Shows what every filter says of every host, also behind the first that rejects it"});
  options.push_back({.name = "seed",
                     .kind = ValueKind::integer,
                     .value_name = "N",
                     .help = "What chance decides comes out as it did with this seed. Otherwise a new one"});
  return options;
}

}  // namespace

std::vector<Command> whatif_commands() {
  return {
      {.path = "whatif",
       .summary = "Decides on a fleet from a file, without a daemon, and shows why for each host",
       .description =
           "Loads the driver as gantryd would, with the same configuration and the same checks of its file, and asks "
           "it where the instances of a request would go on that fleet: exactly what gantryd would answer. The "
           "request is given as for `gantry select`. Shows the verdict of each filter on each host, up to the first "
           "that rejects it, the raw and the normalised weight of each weigher, the total and the final order, as "
           "far as the driver accounts for hosts; of fleets of more than 8 MiB the terms of the best ten hosts, "
           "unless --all-filters is given. Nothing is kept. The exit code is 3 if no host fits. A driver that crashes "
           "or "
           "ends the program is named on standard error, in the crash report of gantryd(8). A driver that does not "
           "return is given up after --timeout. With --compatibility each request is decided twice, by two releases of "
           "Nova, each by itself on the fleet as it is in the file and with one seed, and the answer is which "
           "decisions "
           "differ and by which rule: a filter that passes a host by one release alone, or the weigher that changes "
           "the "
           "order. Hosts of equal weight are the same. What placement alone could judge is not judged, and is told of. "
           "The exit code is then 0 if all is judged and the same, and 4 if not.",
       .options = whatif_options(),
       .examples = {{"gantry whatif --driver filter --fleet fleet.json --request request.json", "a case from files"},
                    {"gantry fleet export > now.json; gantry whatif --fleet now.json --flavor m1.large",
                     "the fleet as it is, and as it may be after an edit"},
                    {"gantry whatif --driver filter --fleet fleet.json --request request.json "
                     "--set driver.filter.ram_weight_multiplier=-1.0",
                     "another policy"},
                    {"gantry whatif --fleet now.json --compatibility epoxy --request one.json --request two.json",
                     "what an upgrade of Nova to Epoxy would change"}},
       .run = what_if}};
}

}  // namespace gantry::cli
