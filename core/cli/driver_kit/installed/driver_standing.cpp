// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/installed/driver_standing.hpp"

#include <filesystem>

#include "core/cli/driver_kit/replaced_file.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

namespace {

constexpr std::chrono::milliseconds patience{2'000};
constexpr std::uintmax_t largest_result = std::uintmax_t{1} << 20u;

}  // namespace

std::optional<RunningDrivers> running_drivers(Session& session) {
  const auto status = session.call_if_running("status", {}, patience);
  if (!status || !status->is_object()) return std::nullopt;
  const json::array* drivers = json::find_array(status->get_object(), "drivers");
  if (drivers == nullptr) return std::nullopt;
  RunningDrivers running;
  for (const json::value& driver : *drivers)
    if (driver.is_object())
      running[std::string(json::find_string(driver.get_object(), "id").value_or(""))] =
          json::find_string(driver.get_object(), "sha256").value_or("");
  return running;
}

std::string running_state(const RunningDrivers& running, const std::string& name, const drivers::DriverFile& file) {
  const auto found = running.find(name);
  if (found == running.end()) return "no";
  return found->second == file.sha256 ? "same" : "changed";
}

std::optional<std::string> grade_of(const drivers::DriverFile& file) {
  const std::filesystem::path path = file.path + ".test.json";
  std::error_code problem;
  if (std::filesystem::file_size(path, problem) > largest_result || problem) return std::nullopt;
  const auto text = content_of(path);
  if (!text || !*text) return std::nullopt;
  const auto result = json::parse_object(**text);
  if (!result || json::find_string(*result, "sha256") != file.sha256) return std::nullopt;
  const auto grade = json::find_string(*result, "grade");
  return grade ? std::optional<std::string>(*grade) : std::nullopt;
}

}  // namespace gantry::cli
