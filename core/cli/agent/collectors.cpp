// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/collectors.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

#include "core/cli/agent/child_process.hpp"
#include "core/files/write_access.hpp"

namespace gantry::cli::agent {

namespace {

using telemetry::Level;
using telemetry::Logger;

void warn(Logger& logger, const std::string& path, const std::string& why) {
  logger.write(Level::warning, "collector skipped", {{"path", path}, {"why", why}});
}

// A collector runs with the rights of the agent, so strangers must not be able to change the file.
std::optional<std::string> why_untrusted(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return "it cannot be read";
  if (!files::has_trusted_owner(facts))
    return "expected it to belong to root or to the agent's user, found user " + std::to_string(facts.st_uid);
  if (files::strangers_may_write(facts, files::GroupWrite::refused))
    return "expected that only its owner may write it; `chmod go-w` makes it so";
  return std::nullopt;
}

bool is_key(const std::string& word) {
  return !word.empty() && word.size() <= 100 && std::ranges::all_of(word, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '.' || letter == '-';
  });
}

Result<std::string> output_of(const std::string& path, const std::vector<std::string>& arguments,
                              const CollectorLimits& limits, const std::stop_token& stop, int* left_behind = nullptr) {
  auto ended = run_child({.program = path,
                          .arguments = arguments,
                          .environment = {},
                          .input = "",
                          .timeout = limits.timeout,
                          .most_output = limits.most_output},
                         stop);
  if (!ended) return std::move(ended).error();
  if (left_behind != nullptr) *left_behind = ended->left_behind;
  if (!ended->succeeded()) {
    const std::string said = last_line(ended->errors);
    return Error{ErrorCode::internal, ended->how_it_ended(limits.timeout) + (said.empty() ? "" : ": " + said), ""};
  }
  if (ended->cut)
    return Error{ErrorCode::internal, "expected at most " + std::to_string(limits.most_output) + " bytes, found more",
                 ""};
  return std::move(ended->output);
}

Result<std::set<std::string>> keys_of(const std::string& path, const CollectorLimits& limits,
                                      const std::stop_token& stop) {
  auto text = output_of(path, {"--provides"}, limits, stop);
  if (!text) return std::move(text).error().within("--provides");
  std::set<std::string> keys;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    line = last_line(line);
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.empty()) continue;
    if (!is_key(line))
      return Error{ErrorCode::internal, "--provides: expected one key a line, found \"" + line + "\"", ""};
    keys.insert(line);
  }
  if (keys.empty()) return Error{ErrorCode::internal, "--provides: expected one key a line, found nothing", ""};
  return keys;
}

Result<json::object> values_of(Collector& collector, const CollectorLimits& limits, const std::stop_token& stop) {
  if (collector.left_behind != 0 && !has_ended(collector.left_behind))
    return Error{ErrorCode::unavailable,
                 "its process " + std::to_string(collector.left_behind) + " of an earlier time cannot be ended", ""};
  auto text = output_of(collector.path, {}, limits, stop, &collector.left_behind);
  if (!text) return std::move(text).error();
  // In a report it stands two levels deeper.
  auto object = json::parse_object(*text, json::max_part_depth - 2);
  if (!object) return std::move(object).error().within("expected one JSON object");
  return object;
}

}  // namespace

Result<std::vector<Collector>> find_collectors(const std::string& directory, const CollectorLimits& limits,
                                               Logger& logger, const std::stop_token& stop) {
  std::error_code problem;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator entry(directory, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename();
    std::error_code ignored;
    if (name.starts_with('.') || !entry->is_regular_file(ignored)) continue;
    if (::access(entry->path().c_str(), X_OK) == 0) paths.push_back(std::filesystem::absolute(entry->path()));
  }
  if (problem)
    return Error{ErrorCode::not_found, "--collectors " + directory + ": cannot be read: " + problem.message(), ""};
  std::ranges::sort(paths);
  std::vector<Collector> found;
  for (const std::string& path : paths) {
    if (const auto why = why_untrusted(path)) {
      warn(logger, path, *why);
      continue;
    }
    auto keys = keys_of(path, limits, stop);
    if (keys)
      found.push_back({.path = path, .provides = std::move(*keys)});
    else
      warn(logger, path, keys.error().message);
  }
  return found;
}

json::object collect(std::vector<Collector>& collectors, const std::set<std::string>& wanted,
                     const CollectorLimits& limits, Logger& logger, const std::stop_token& stop) {
  std::vector<std::optional<Result<json::object>>> answers(collectors.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t at = 0; at < collectors.size(); ++at) {
      const bool provides_some =
          std::ranges::any_of(collectors[at].provides, [&](const std::string& key) { return wanted.contains(key); });
      if (provides_some)
        threads.emplace_back([&, at] { answers[at].emplace(values_of(collectors[at], limits, stop)); });
    }
  }
  json::object values;
  std::set<std::string> missing;
  for (std::size_t at = 0; at < collectors.size(); ++at) {
    if (!answers[at]) continue;
    std::ranges::set_intersection(collectors[at].provides, wanted, std::inserter(missing, missing.end()));
    if (!*answers[at]) {
      warn(logger, collectors[at].path, answers[at]->error().message);
      continue;
    }
    for (const auto& [key, value] : **answers[at])
      if (collectors[at].provides.contains(std::string(key)) && wanted.contains(std::string(key)) &&
          !values.contains(key))
        values[key] = value;
  }
  // A collector that was ended by the agent's stop clears no key.
  if (stop.stop_requested()) return values;
  for (const std::string& key : missing)
    if (!values.contains(key)) values[key] = nullptr;
  return values;
}

}  // namespace gantry::cli::agent
