// SPDX-License-Identifier: Apache-2.0
//
// The files of a site's nova.conf; a line "#file" begins the next one. Whatever they say, the TOML that they come to is
// read by the core without a complaint, for each release. The outcome is settings or refused.
#include <algorithm>
#include <vector>

#include "core/cli/nova/written.hpp"
#include "core/config/interpret.hpp"
#include "core/config/keys.hpp"
#include "core/config/nova/deployment.hpp"
#include "core/config/sources/toml.hpp"
#include "core/encoding/utf8.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::string_view next_file = "\n#file\n";

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> files;
  for (;;) {
    const std::size_t end = std::min(text.find(next_file), text.size());
    files.push_back(text.substr(0, end));
    if (end == text.size()) return files;
    text.remove_prefix(end + next_file.size());
  }
}

void check(const config::nova::Translation& translation, const config::nova::Conf& conf,
           config::nova::Release release) {
  const cli::nova::LevelReview review{{release, "told", {}, {}, {}}, config::nova::other_defaults(conf, release)};
  const std::string toml = cli::nova::written_as_toml(translation, {"a\nname"}, review);
  if (!is_utf8(toml)) broken("TOML that is not UTF-8");
  const auto tree = config::parse_toml(toml, "made.toml");
  if (!tree) broken("TOML that cannot be read: " + tree.error().message + "\n" + toml);
  config::Interpreter interpreter;
  interpreter.take(*tree);
  interpreter.finish();
  if (!interpreter.problems().empty()) broken("TOML that is refused: " + interpreter.problems().front() + "\n" + toml);
  if (cli::nova::written_as_json(translation, review).empty()) broken("JSON without content");
}

// The same files as those of a deployment: each key that they set is one of Gantry's and takes the value, and each
// finding has a sentence.
void check_deployment(const config::nova::Conf& conf) {
  const auto deployment = config::nova::deployment_from(conf, config::nova::Release::zed, config::fault_of_key);
  config::Interpreter interpreter;
  interpreter.take(deployment.tree);
  if (!interpreter.problems().empty()) broken("a value that is refused: " + interpreter.problems().front());
  config::Interpreter whole;
  whole.take_nova(deployment);
  whole.finish();
  for (const auto* list : {&deployment.problems, &whole.problems(), &whole.warnings()})
    for (const std::string& sentence : *list)
      if (sentence.empty() || !is_utf8(sentence)) broken("a sentence that is not UTF-8, or empty");
  for (const auto& shown : whole.shown())
    if (!is_utf8(shown.value)) broken("a value that is not UTF-8: " + shown.key);
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  std::vector<config::nova::ConfFile> files;
  for (const std::string_view text : split(text_of(input))) {
    auto parsed = config::nova::parse_conf_file(text, "a\nname");
    if (!parsed && parsed.error().message.empty()) broken("a refusal without a reason");
    if (!parsed) return "refused";
    files.push_back(*std::move(parsed));
  }
  const config::nova::Conf conf(std::move(files));
  check_deployment(conf);
  bool is_sound = true;
  for (const auto release : {config::nova::Release::icehouse, config::nova::Release::ocata, config::nova::Release::zed,
                             config::nova::Release::hibiscus}) {
    const auto translation =
        config::nova::translate(conf, release, config::nova::Purpose::import, config::fault_of_key);
    if (translation.problems.empty()) check(translation, conf, release);
    is_sound = is_sound && translation.problems.empty();
  }
  return is_sound ? "settings" : "refused";
}

}  // namespace gantry::fuzz
