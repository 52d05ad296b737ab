// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/tool.hpp"

#include <ostream>

#include "core/cli/agent/child_process.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

constexpr std::chrono::hours longest_build{12};

std::string words_of(const Tool& tool) {
  std::string words = tool.program;
  for (const std::string& argument : tool.arguments) words += " " + argument;
  return words;
}

// Returns what to install if there is no such program.
std::string package_of(const std::string& program) {
  static const std::map<std::string, std::string> packages{
      {"cc", "gcc"}, {"c++", "g++"}, {"cmake", "cmake"}, {"make", "make"}, {"cargo", "cargo"}};
  const auto found = packages.find(program);
  return found == packages.end() ? "" : "; install it (Debian: " + found->second + ")";
}

}  // namespace

Result<void> run_tool(Session& session, const Tool& tool, const std::stop_token& stop) {
  if (session.shows_progress()) print_notice(session, "runs " + words_of(tool));
  const agent::ChildRequest request{.program = tool.program,
                                    .arguments = tool.arguments,
                                    .environment = tool.environment,
                                    .directory = tool.directory,
                                    .timeout = longest_build,
                                    .parent_signal = SIGTERM};
  auto ended = agent::run_child(request, stop);
  if (!ended) {
    Error error = std::move(ended).error();
    if (error.code == ErrorCode::not_found) error.message += package_of(tool.program);
    return error;
  }
  if (ended->succeeded()) return {};
  if (ended->stopped) return Error{ErrorCode::failed_precondition, tool.program + ": stopped", ""};
  const std::string output = ended->output + ended->errors;
  if (session.format() != OutputFormat::json) session.err() << output << std::flush;
  return Error{ErrorCode::failed_precondition, words_of(tool) + ": " + ended->how_it_ended(longest_build),
               json::write(json::object{{"output", output}})};
}

}  // namespace gantry::cli
