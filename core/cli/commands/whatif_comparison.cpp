// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/whatif_comparison.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <ostream>
#include <utility>

#include "core/cli/commands/select.hpp"
#include "core/cli/commands/whatif_differences.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/read_file.hpp"
#include "core/config/nova/release.hpp"
#include "core/encoding/json.hpp"
#include "core/encoding/random.hpp"
#include "core/whatif/comparison.hpp"

namespace gantry::cli {

namespace {

std::string shown_name(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

// A file of one request, or of several with names.
Result<void> add_requests(Session& session, const Arguments& arguments, const std::string& file,
                          std::vector<whatif::Asked>& asked) {
  auto text = read_file(session, file);
  if (!text) return std::move(text).error();
  auto requests = read_requests(*text, arguments.text("message"), shown_name(file));
  if (!requests) return std::move(requests).error();
  for (auto& [name, request] : *requests) {
    auto& one = asked.emplace_back();
    one.id = name.empty() ? shown_name(file) : shown_name(file) + ": " + name;
    one.args = std::move(request.args);
    one.context = std::move(request.context);
  }
  return {};
}

Result<std::vector<whatif::Asked>> asked_requests(Session& session, const Arguments& arguments) {
  std::vector<whatif::Asked> asked;
  const auto files = arguments.all("request");
  if (files.empty()) {
    auto built = asked_request(session, arguments);
    if (!built) return std::move(built).error();
    asked.push_back({"request", std::move(built->args), std::move(built->context)});
    return asked;
  }
  if (auto checked = check_request_by_file(arguments); !checked) return std::move(checked).error();
  for (const std::string& file : files)
    if (auto added = add_requests(session, arguments, file, asked); !added) return std::move(added).error();
  return asked;
}

// Standard input can be read once.
Result<void> check_inputs(const Arguments& arguments) {
  std::vector<std::string> files{arguments.text("fleet")};
  std::ranges::copy(arguments.all("request"), std::back_inserter(files));
  if (std::ranges::count(files, "-") < 2) return {};
  return Error{ErrorCode::invalid_argument, "--fleet and --request: one of them can be standard input, once", ""};
}

std::function<void(std::size_t, std::size_t)> progress_of(Session& session) {
  if (!session.shows_progress()) return {};
  return [&session](std::size_t done, std::size_t all) {
    constexpr std::size_t between = 50;
    if (done != all && done % between != 0) return;
    session.err() << "\r\x1b[K";
    if (done != all) session.err() << done << " of " << all << " requests decided twice";
    session.err() << std::flush;
  };
}

// The code name of a release that is told by its year.
std::string release_in(const std::string& told) {
  const auto release = config::nova::release_named(told);
  return release ? std::string(config::nova::name_of(*release)) : told;
}

// Reads the parts that come from the command line alone.
whatif::Comparison comparison_of(Session& session, const Arguments& arguments) {
  whatif::Comparison comparison;
  comparison.before = release_in(arguments.text("beside"));
  comparison.after = release_in(arguments.text("compatibility"));
  const auto seed = arguments.integer("seed");
  comparison.seed = seed ? static_cast<std::uint64_t>(*seed) : random_number();
  comparison.timeout = arguments.seconds("timeout").value_or(std::chrono::seconds(30));
  comparison.logs = arguments.flag("debug");
  comparison.progress = progress_of(session);
  comparison.give_up = [&session](const Error& error) {
    print_error(session, error);
    session.err().flush();
    std::_Exit(exit_code::of(error.code));
  };
  return comparison;
}

}  // namespace

Result<int> compare_releases(Session& session, const Arguments& arguments, const SettingsWith& settings_with,
                             FleetText fleet) {
  if (auto checked = check_inputs(arguments); !checked) return std::move(checked).error();
  auto settings = settings_with({});
  if (!settings) return std::move(settings).error();
  auto requests = asked_requests(session, arguments);
  if (!requests) return std::move(requests).error();
  std::vector<std::string> ids;
  for (const auto& request : *requests) ids.push_back(request.id);
  auto comparison = comparison_of(session, arguments);
  comparison.settings = std::move(*settings);
  comparison.settings_at = [&settings_with](const std::string& driver, const std::string& release) {
    return settings_with({"driver." + driver + ".compatibility=" + json::write(json::value(release))});
  };
  comparison.fleet = std::move(fleet.text);
  comparison.fleet_source = std::move(fleet.source);
  comparison.requests = std::move(*requests);
  const auto seed = comparison.seed;
  auto compared = whatif::compare(std::move(comparison));
  if (!compared) return std::move(compared).error();
  for (const std::string& warning : compared->warnings) print_warning(session, warning);
  print_differences(session, *compared, ids, seed);
  return compared->same == ids.size() ? exit_code::success : exit_code::unsound;
}

std::vector<Option> comparison_options() {
  const auto releases = config::nova::release_choices();
  return {{.name = "compatibility",
           .kind = ValueKind::text,
           .value_name = "RELEASE",
           .help = "Compares: decides each request by the configured release of Nova and by this one, and says which "
                   "decisions differ and by which rule",
           .suggestions = releases},
          {.name = "beside",
           .kind = ValueKind::text,
           .value_name = "RELEASE",
           .help = "With --compatibility: the release to compare with. Otherwise the configured one",
           .suggestions = releases}};
}

}  // namespace gantry::cli
