// SPDX-License-Identifier: Apache-2.0
//
// Rules about options.
#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"
#include "gantry/ext/weigher.h"

namespace gantry::conformance {
namespace {

using config::OptionValue;
using drivers::OptionDeclaration;

// Returns values that the option allows, its bounds among them, and texts that a careless driver trips over.
std::vector<OptionValue> allowed_values(const OptionDeclaration& option) {
  std::vector<OptionValue> values;
  switch (option.type) {
    case GANTRY_OPTION_BOOLEAN: return {true, false};
    case GANTRY_OPTION_INTEGER:
      for (const auto& bound : {option.minimum, option.maximum})
        if (bound) values.emplace_back(static_cast<std::int64_t>(*bound));
      if (option.minimum && option.maximum)
        values.emplace_back(static_cast<std::int64_t>(*option.minimum / 2 + *option.maximum / 2));
      if (!option.maximum) values.emplace_back(std::int64_t{1} << 20);
      return values;
    case GANTRY_OPTION_REAL:
      for (const auto& bound : {option.minimum, option.maximum})
        if (bound) values.emplace_back(*bound);
      if (!option.maximum) values.emplace_back(1e6);
      if (!option.minimum) values.emplace_back(-1e6);
      return values;
    case GANTRY_OPTION_STRING:
      for (const std::string& choice : option.choices) values.emplace_back(choice);
      if (option.choices.empty() && !option.is_file)
        values = {std::string("dev"), std::string("ops"), std::string("zz")};
      return values;
    case GANTRY_OPTION_STRINGS:
      for (const std::string& choice : option.choices) values.emplace_back(std::vector<std::string>{choice});
      if (option.choices.empty()) values = {std::vector<std::string>{"dev-0"}, std::vector<std::string>{}};
      return values;
    default: return {std::map<std::string, std::string>{}, std::map<std::string, std::string>{{"10.1", "zz"}}};
  }
}

Verdict works_at_the_bounds(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    if (unit.options.empty()) return not_applicable("there are no options");
    for (const OptionDeclaration& option : unit.options) {
      for (const OptionValue& value : allowed_values(option)) {
        OptionValues options = options_for(subject, unit);
        options[option.name].value = value;
        testing::outcome refusal;
        const auto instance = Instance::create(unit, subject, options, &refusal);
        if (instance == nullptr && refusal.sentence.empty())
          return failed("an instance or a sentence", "a silent failure with option '" + option.name + "'");
        if (instance == nullptr && option.minimum && option.maximum && option.type != GANTRY_OPTION_STRING &&
            option.type != GANTRY_OPTION_STRINGS && option.type != GANTRY_OPTION_TABLE)
          return failed("an instance for each number that the manifest allows",
                        "option '" + option.name + "': " + refusal.sentence);
        if (instance == nullptr) continue;
        Host host(unit, subject, fleet(unit, subject.seed(), 20));
        instance->play(host, small_request(2));
      }
    }
    return Verdict{};
  });
}

// The driver applies a weigher's multiplier: the weigher itself scores as before.
bool is_applied_by_driver(const Unit& unit, const OptionDeclaration& option) {
  if (unit.offer == nullptr || unit.is_filter()) return false;
  return gantry::text(static_cast<const gantry_weigher_ops*>(unit.offer)->multiplier_name) == option.name;
}

Verdict each_option_has_an_effect(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    if (unit.options.empty()) return not_applicable("there are no options");
    // With many options, a driver's own tests have the requests that tell them apart.
    if (unit.options.size() > 24) return not_applicable("more than 24 options");
    const OptionValues usual = options_for(subject, unit);
    const std::string before = play_all(subject, unit, usual, subject.seed());
    for (const OptionDeclaration& option : unit.options) {
      const bool is_of_logs = option.help.find("log") != std::string::npos;
      if (option.is_file || is_of_logs || is_applied_by_driver(unit, option)) continue;
      bool has_effect = false;
      for (const OptionValue& value : allowed_values(option)) {
        OptionValues options = usual;
        options[option.name].value = value;
        has_effect = has_effect || play_all(subject, unit, options, subject.seed()) != before;
      }
      if (!has_effect)
        return failed("another decision for another value of each option",
                      "option '" + option.name + "' changes nothing");
    }
    return Verdict{};
  });
}

Verdict odd_option_texts(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    bool has_texts = false;
    for (const OptionDeclaration& option : unit.options) {
      if (!option.choices.empty() || option.is_file || option.type < GANTRY_OPTION_STRING || !option.offers.empty())
        continue;
      has_texts = true;
      for (const std::string& text : odd_texts()) {
        OptionValues options = options_for(subject, unit);
        if (option.type == GANTRY_OPTION_STRING) options[option.name].value = text;
        if (option.type == GANTRY_OPTION_STRINGS) options[option.name].value = std::vector<std::string>{text, text};
        if (option.type == GANTRY_OPTION_TABLE)
          options[option.name].value = std::map<std::string, std::string>{{text, text}};
        testing::outcome refusal;
        const auto instance = Instance::create(unit, subject, options, &refusal);
        if (instance == nullptr && refusal.sentence.empty())
          return failed("an instance or a sentence", "a silent failure with option '" + option.name + "'");
        if (instance == nullptr) continue;
        Host host(unit, subject, fleet(unit, subject.seed(), 20));
        instance->play(host, small_request(2));
      }
    }
    return has_texts ? Verdict{} : not_applicable("there are no options of text");
  });
}

Verdict unknown_option_type(Subject& subject) {
  return each_unit(subject, [&](const Unit& unit) {
    drivers::Options usual(unit.options, options_for(subject, unit));
    const gantry_options* const told = usual.table();
    std::vector<gantry_option> longer(told->options, told->options + told->option_count);
    longer.push_back({{"later", 5}, 99, 1, 1, 1, {}, {}, {}});
    const gantry_options table = {sizeof(gantry_options), sizeof(gantry_option), longer.data(), longer.size()};
    if (unit.driver == nullptr) return not_applicable("the file is a library");
    Host host(unit, subject, {});
    testing::fake_call call(1);
    call.host = &host;
    call.context = host.context.raw(call.memory);
    gantry_driver* driver = nullptr;
    const gantry_code code = unit.driver->create(&host.table(), call.raw(), &table, &driver);
    if (code == GANTRY_OK) unit.driver->destroy(driver);
    return code == GANTRY_OK
               ? Verdict{}
               : failed("an instance that passes over an option of an unknown type", call.result.sentence);
  });
}

}  // namespace

std::vector<Rule> option_rules() {
  return {
      {"works-at-the-bounds", Grade::silver, "Each value that the manifest allows works",
       "The host checks the bounds: the driver must live with each value within them.",
       "buffer[reserve] with 64 places", "manifest.md", works_at_the_bounds},
      {"options-have-an-effect", Grade::bronze, "Each option changes some decision",
       "An option whose name is misspelt in the code is silently without effect.", "options.integer(\"resreve\")",
       "driver.h, gantry_option", each_option_has_an_effect},
      {"odd-option-texts", Grade::silver, "Odd texts in options are taken, or refused with a sentence",
       "Quotes, control characters and long texts come from people.", "strcpy(name, option.string.data)",
       "driver.h, convention 5", odd_option_texts},
      {"passes-over-later-options", Grade::silver, "An option of an unknown type is passed over",
       "A later host may have more types.", "abort() in the default of a switch", "driver.h, convention 3",
       unknown_option_type},
  };
}

}  // namespace gantry::conformance
