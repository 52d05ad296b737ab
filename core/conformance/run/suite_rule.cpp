// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <csignal>
#include <exception>

#include "core/config/driver_options.hpp"
#include "core/config/sources/toml.hpp"
#include "core/conformance/run/suite.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/manifest/option_value.hpp"
#include "core/encoding/json.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::conformance {
namespace {

[[maybe_unused]] constexpr rlim_t most_memory = rlim_t{8} << 30;

Error wrong(const std::string& what) {
  return {ErrorCode::invalid_argument, what, {}};
}

// The options by the names that --option gives them: an offer's have the offer's name and a dot in front.
std::map<std::string, const drivers::OptionDeclaration*> declared_in(const drivers::Manifest& manifest) {
  std::map<std::string, const drivers::OptionDeclaration*> all;
  for (const drivers::OptionDeclaration& option : manifest.options) all[option.name] = &option;
  for (const drivers::OfferDeclaration& offer : manifest.offers)
    for (const drivers::OptionDeclaration& option : offer.options) all[offer.name + "." + option.name] = &option;
  return all;
}

Error no_option(const std::string& name, const std::map<std::string, const drivers::OptionDeclaration*>& declared) {
  std::vector<std::string> names;
  std::string all;
  for (const auto& [known, option] : declared) {
    names.push_back(known);
    all += (all.empty() ? "" : ", ") + known;
  }
  const std::string near = nearest(name, names);
  return wrong("--option: found '" + name + "', expected " +
               (all.empty() ? "none: the file has no options" : "one of " + all) +
               (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Result<config::OptionValue> value_from(const drivers::OptionDeclaration& option, const std::string& text) {
  if (option.type == GANTRY_OPTION_STRING && !text.starts_with('"') && !text.starts_with('\''))
    return config::OptionValue(text);
  auto node = config::parse_toml_value(text);
  if (!node) return std::move(node).error();
  auto value = config::option_from(*node);
  if (!value) return value;
  if (const auto* number = std::get_if<std::int64_t>(&*value); number != nullptr && option.type == GANTRY_OPTION_REAL)
    return config::OptionValue(static_cast<double>(*number));
  if (const auto misfit = drivers::check_value(option, *value); misfit && option.offers.empty())
    return wrong("expected " + misfit->expected + ", found " + misfit->found);
  return value;
}

// Returns the first failure.
Verdict check_seeds(const Rule& rule, Subject& subject, std::uint64_t seed) {
  Verdict verdict;
  for (std::uint32_t more = 0; more < rule.seeds && verdict.state == State::passed; ++more) {
    subject.use_seed(seed + more);
    verdict = rule.check(subject);
    if (more != 0 && verdict.state == State::failed) verdict.found += " (seed " + std::to_string(seed + more) + ")";
  }
  return verdict;
}

}  // namespace

Result<Subject> open_subject(const std::string& path, const std::vector<std::string>& options, std::uint64_t seed) {
  drivers::FileRules read_only;
  read_only.check_owner_and_mode = false;
  read_only.kind = std::nullopt;
  auto file = drivers::open_driver_file(path, read_only);
  if (!file) return std::move(file).error();
  const auto declared = declared_in(file->manifest);
  OptionValues values;
  for (const std::string& option : options) {
    const auto equals = option.find('=');
    const std::string name = option.substr(0, equals);
    const auto found = declared.find(name);
    if (equals == std::string::npos) return wrong("--option: expected NAME=VALUE, found '" + option + "'");
    if (found == declared.end()) return no_option(name, declared);
    auto value = value_from(*found->second, option.substr(equals + 1));
    if (!value) return wrong("--option " + name + ": " + value.error().message);
    values[name] = {*std::move(value), "--option"};
  }
  for (const auto& [name, option] : declared)
    if (!option->default_value && !values.contains(name))
      return wrong("option '" + name + "' has no default: give it by --option " + name + "=VALUE");
  return Subject(*std::move(file), std::move(values), seed);
}

Result<std::string> judge_rule(const std::string& file, const Rule& rule, const std::vector<std::string>& options,
                               std::uint64_t seed) {
  const rlimit none{0, 0};
#ifndef GANTRY_SANITIZE  // A sanitizer takes address space of its own.
  rlimit memory{};
  ::getrlimit(RLIMIT_AS, &memory);
  memory.rlim_cur = most_memory;  // a rule with a runner raises it again
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  ::setrlimit(RLIMIT_CORE, &none);
  auto subject = open_subject(file, options, seed);
  if (!subject) return std::move(subject).error();
  Verdict verdict;
  try {
    verdict = check_seeds(rule, *subject, seed);
  } catch (const std::exception& error) {
    verdict = failed("a file that loads, and functions that throw nothing", error.what());
  }
  static constexpr const char* names[] = {"passed", "failed", "not_applicable"};
  return json::write(json::object{{"state", names[static_cast<std::size_t>(verdict.state)]},
                                  {"expected", verdict.expected},
                                  {"found", verdict.found}});
}

Result<std::map<std::string, std::string>> parse_exemptions(std::string_view text, const std::string& name) {
  auto table = config::parse_toml(text, name);
  if (!table) return std::move(table).error();
  std::map<std::string, std::string> reasons;
  for (const config::Member& member : table->members) {
    const auto* const reason = member.node.get<std::string>();
    const std::string place = member.origin + ": ";
    if (find_rule(member.key) == nullptr) {
      const std::string near = nearest_rule(member.key);
      return Error{ErrorCode::invalid_configuration,
                   place + "there is no rule '" + member.key + "'" + (near.empty() ? "" : "; is '" + near + "' meant?"),
                   {}};
    }
    if (reason == nullptr || reason->find_first_not_of(" \t\n") == std::string::npos)
      return Error{ErrorCode::invalid_configuration,
                   place + "expected the reason of the exemption from '" + member.key + "' as text, found " +
                       config::describe(member.node),
                   {}};
    reasons[member.key] = *reason;
  }
  return reasons;
}

}  // namespace gantry::conformance
