// SPDX-License-Identifier: Apache-2.0
//
// A configuration file's text. Lines "#env NAME=value" are given as the environment and "#set key=value" as overrides.
// What is accepted must read back the same from what is shown of it. The outcome is settings or refused.
#include <algorithm>
#include <map>

#include "core/config/assignments.hpp"
#include "core/config/interpret.hpp"
#include "core/config/sources/toml.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

struct Text {
  std::string file;
  std::map<std::string, std::string> environment;
  std::vector<std::string> overrides;
};

Text split(std::string_view text) {
  Text result{std::string(text), {}, {}};
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("#set ")) result.overrides.emplace_back(line.substr(5));
    if (!line.starts_with("#env ")) continue;
    const auto sign = std::min(line.find('='), line.size());
    result.environment[std::string(line.substr(5, sign - 5))] = line.substr(std::min(sign + 1, line.size()));
  }
  return result;
}

// Empty: refused.
std::string shown(const config::Interpreter& interpreter) {
  std::string text;
  for (const auto& line : interpreter.shown()) {
    if (!config::parse_toml_value(line.value)) broken("a shown value that is not TOML: " + line.value);
    // What nobody has set need not be something that can be set.
    if (line.origin != "default") text += line.key + " = " + line.value + "\n";
  }
  return text;
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto text = split(text_of(input));
  const auto tree = config::parse_toml(text.file, "fuzz.toml");
  if (!tree && tree.error().message.empty()) broken("a refusal without a reason");
  config::Interpreter interpreter;
  if (tree) interpreter.take(*tree);
  auto problems = tree ? 0U : 1U;
  for (const auto& assignments : {config::from_environment(text.environment), config::from_overrides(text.overrides)}) {
    problems += static_cast<unsigned>(assignments.problems.size());
    for (const auto& each : assignments.trees) interpreter.take(each);
  }
  interpreter.finish();
  const auto first = shown(interpreter);
  if (problems + interpreter.problems().size() != 0) return "refused";
  const auto again = config::parse_toml(first, "shown.toml");
  if (!again) broken("what is shown cannot be read: " + again.error().message + "\n" + first);
  config::Interpreter second;
  second.take(*again);
  second.finish();
  if (!second.problems().empty()) broken("what is shown is refused: " + second.problems().front());
  if (shown(second) != first) broken("what is shown reads back as something else:\n" + first + "\n" + shown(second));
  return "settings";
}

}  // namespace gantry::fuzz
