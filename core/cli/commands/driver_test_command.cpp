// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/driver_kit/judged_file.hpp"
#include "core/cli/driver_kit/lua_driver.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/conformance/run/fuzz.hpp"
#include "core/conformance/run/report.hpp"

namespace gantry::cli {

namespace {

using conformance::Grade;
using conformance::Outcome;
using conformance::Rule;
using conformance::State;

Error no_rule(const std::string& id) {
  const std::string near = conformance::nearest_rule(id);
  return {ErrorCode::invalid_argument,
          "there is no rule '" + id + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?") +
              "; `gantry driver test --list` shows all",
          {}};
}

// Returns the text of a file, nullopt if it cannot be read.
std::optional<std::string> text_of_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// rank.so, rank.lua -> rank + `suffix`
std::string beside(const std::string& file, const std::string& suffix) {
  std::filesystem::path path(file);
  if (path.extension() == ".so" || path.extension() == ".lua") path.replace_extension();
  return path.string() + suffix;
}

// Returns FILE and the options, for a command line that runs the same again.
std::string same_file(const Arguments& arguments) {
  std::string words = arguments.text("FILE");
  for (const std::string& option : arguments.all("option")) words += " --option '" + option + "'";
  return words;
}

int list_rules(Session& session) {
  json::array rows;
  for (const Rule& rule : conformance::rules())
    rows.emplace_back(json::object{{"rule", rule.id}, {"grade", name_of(rule.grade)}, {"title", rule.title}});
  print_list(session, rows, {{"RULE", "rule"}, {"GRADE", "grade"}, {"TITLE", "title"}});
  return exit_code::success;
}

Result<int> explain_rule(Session& session, const std::string& id) {
  const Rule* const rule = conformance::find_rule(id);
  if (rule == nullptr) return no_rule(id);
  print_object(session,
               {{"rule", rule->id},
                {"grade", name_of(rule->grade)},
                {"title", rule->title},
                {"why", rule->why},
                {"mistake", rule->mistake},
                {"clause", rule->clause},
                {"exemption", "in FILE.test.toml beside FILE.so: " + std::string(rule->id) + " = \"the reason\""}},
               {{"rule", "rule"},
                {"grade", "grade"},
                {"title", "title"},
                {"why", "why"},
                {"a mistake", "mistake"},
                {"see", "clause"},
                {"exemption", "exemption"}});
  return exit_code::success;
}

// Reads RULE:SEED of --reproduce into the settings.
Result<void> reproduce(const std::string& word, conformance::Settings& settings) {
  const auto colon = word.find(':');
  const Rule* const rule = conformance::find_check(word.substr(0, colon));
  if (rule == nullptr) return no_rule(word.substr(0, colon));
  settings.chosen = {rule};
  const std::string digits = colon == std::string::npos ? "" : word.substr(colon + 1);
  if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
    return Error{ErrorCode::invalid_argument, "--reproduce: expected RULE:SEED, found '" + word + "'", {}};
  settings.seed = std::stoull(digits);
  return {};
}

// Tests a policy as the driver lua that runs it. Its options are the driver's.
Result<void> take_policy(const Session& session, conformance::Settings& settings) {
  auto driver = lua_driver(session);
  if (!driver) return std::move(driver).error();
  settings.options.push_back("policy=" + std::filesystem::absolute(settings.file).string());
  settings.file = driver->path;
  return {};
}

Result<conformance::Settings> settings_from(const Session& session, const Arguments& arguments) {
  conformance::Settings settings;
  settings.file = arguments.text("FILE");
  settings.options = arguments.all("option");
  if (settings.file.ends_with(".lua"))
    if (auto taken = take_policy(session, settings); !taken) return std::move(taken).error();
  settings.seed = static_cast<std::uint64_t>(arguments.integer("seed").value_or(1));
  settings.limit = *arguments.seconds("limit");
  const auto skipped = arguments.all("skip");
  for (const std::string& id : skipped)
    if (conformance::find_rule(id) == nullptr) return no_rule(id);
  for (const std::string& id : arguments.all("only")) {
    const Rule* const rule = conformance::find_rule(id);
    if (rule == nullptr) return no_rule(id);
    settings.chosen.push_back(rule);
  }
  if (settings.chosen.empty())
    for (const Rule& rule : conformance::rules())
      if (std::ranges::find(skipped, rule.id) == skipped.end()) settings.chosen.push_back(&rule);
  if (arguments.has("reproduce"))
    if (auto read = reproduce(arguments.text("reproduce"), settings); !read) return std::move(read).error();
  const bool is_named = arguments.has("exemptions");
  const std::string path = is_named ? arguments.text("exemptions") : beside(arguments.text("FILE"), ".test.toml");
  const auto text = text_of_file(path);
  if (!text && is_named) return Error{ErrorCode::invalid_argument, "--exemptions: '" + path + "' cannot be read", {}};
  if (settings.file != arguments.text("FILE"))
    settings.exemptions["options-have-an-effect"] = "the bounds of the driver lua are wide for most policies";
  if (!text) return settings;
  auto exemptions = conformance::parse_exemptions(*text, path);
  if (!exemptions) return std::move(exemptions).error();
  exemptions->merge(settings.exemptions);
  settings.exemptions = *std::move(exemptions);
  return settings;
}

void print_failure(Session& session, const std::string& file, const Outcome& outcome) {
  session.out() << '\n'
                << outcome.rule->id << ": " << outcome.rule->title << '\n'
                << "  expected " << outcome.verdict.expected << '\n'
                << "  found    " << outcome.verdict.found << '\n'
                << "  see      " << outcome.rule->clause << '\n'
                << "  again    gantry driver test " << file << " --reproduce " << outcome.rule->id << ':'
                << outcome.seed << '\n';
}

void print_outcomes(Session& session, const std::string& file, const std::vector<Outcome>& outcomes, bool failed_only) {
  TextTable table({"RULE", "GRADE", "RESULT", "FOUND"});
  for (const Outcome& outcome : outcomes) {
    if (failed_only && !outcome.fails()) continue;
    const bool exempt = outcome.verdict.state == State::failed && !outcome.exemption.empty();
    const char* const result = outcome.fails()                          ? "FAIL"
                               : exempt                                 ? "exempt"
                               : outcome.verdict.state == State::passed ? "ok"
                                                                        : "not applicable";
    table.add({std::string(outcome.rule->id), std::string(name_of(outcome.rule->grade)), result,
               exempt ? outcome.exemption : outcome.verdict.found});
  }
  if (!table.empty()) table.print(session.out(), session.colour());
  for (const Outcome& outcome : outcomes)
    if (outcome.fails()) print_failure(session, file, outcome);
}

void print_summary(Session& session, const conformance::Subject& subject, const std::vector<Outcome>& outcomes,
                   const std::string& cost) {
  const auto grade = conformance::grade_of(outcomes);
  const bool is_whole = outcomes.size() == conformance::rules().size();
  const auto failures = std::ranges::count_if(outcomes, &Outcome::fails);
  const drivers::Manifest& manifest = subject.manifest();
  session.out() << '\n'
                << manifest.own_id() << ' ' << manifest.version << ": "
                << (!is_whole ? "a part of the rules"
                    : grade   ? name_of(*grade)
                              : "no grade")
                << ", " << outcomes.size() << " rules, " << failures << " failed; runs on hosts from ABI "
                << manifest.abi_major << '.' << manifest.needs_minor << '\n';
  if (!cost.empty()) session.out() << "a decision among 10,000 hosts costs " << cost << " scans of one column\n";
}

// Returns what a decision costs. Empty for a part of the rules, and for a file that places nothing.
std::string cost_of(conformance::Settings settings) {
  if (settings.chosen.size() < conformance::rules().size()) return {};
  settings.chosen = {&conformance::cost()};
  settings.progress = {};
  const auto outcomes = conformance::run_rules(settings);
  const bool is_measured = outcomes && outcomes->front().verdict.state == State::passed;
  return is_measured ? outcomes->front().verdict.found : std::string();
}

Result<int> fuzz(Session& session, const Arguments& arguments, const conformance::Settings& settings) {
  const auto fuzzed = conformance::run_fuzz(settings, *arguments.seconds("fuzz"));
  if (!fuzzed) return fuzzed.error();
  const bool failed = fuzzed->finding.has_value();
  if (session.format() == OutputFormat::json) {
    json::object report{{"file", settings.file}, {"seed", settings.seed}, {"cases", fuzzed->cases}};
    if (failed) {
      report["reproduce"] = std::string(fuzzed->finding->rule->id) + ":" + std::to_string(fuzzed->finding->seed);
      report["expected"] = fuzzed->finding->verdict.expected;
      report["found"] = fuzzed->finding->verdict.found;
    }
    print_json(session, report);
  } else {
    session.out() << fuzzed->cases << " random cases from seed " << settings.seed << ", "
                  << (failed ? "one failed" : "none failed") << '\n';
    if (failed) print_failure(session, same_file(arguments), *fuzzed->finding);
  }
  return failed ? exit_code::failure : exit_code::success;
}

Result<int> run(Session& session, const Arguments& arguments) {
  auto settings = settings_from(session, arguments);
  if (!settings) return std::move(settings).error();
  if (auto expected = expect_shared_object(settings->file); !expected) return std::move(expected).error();
  auto subject = conformance::open_subject(settings->file, settings->options, settings->seed);
  if (!subject) return std::move(subject).error();
  if (arguments.has("fuzz")) return fuzz(session, arguments, *settings);
  if (session.shows_progress())
    settings->progress = [&session](std::size_t done, std::size_t all) {
      session.err() << '\r' << done << " of " << all << " rules" << (done == all ? "\r\033[K" : "") << std::flush;
    };
  auto outcomes = conformance::run_rules(*settings);
  if (!outcomes) return std::move(outcomes).error();
  const std::string cost = cost_of(*settings);
  const json::object report = conformance::report(*subject, *outcomes, cost);
  if (arguments.flag("junit")) {
    session.out() << conformance::junit(*subject, *outcomes);
  } else if (session.format() == OutputFormat::json) {
    print_json(session, report);
  } else {
    print_outcomes(session, same_file(arguments), *outcomes, arguments.flag("only-failed"));
    print_summary(session, *subject, *outcomes, cost);
  }
  for (const Outcome& outcome : *outcomes)
    if (!outcome.exemption.empty() && outcome.verdict.state == State::passed)
      print_warning(session,
                    "the exemption from '" + std::string(outcome.rule->id) + "' is not needed: the rule holds");
  if (arguments.flag("write")) {
    std::ofstream file(beside(arguments.text("FILE"), ".test.json"));
    file << json::write_pretty(report) << '\n';
    if (!file.flush())
      return Error{ErrorCode::internal, "'" + beside(arguments.text("FILE"), ".test.json") + "' cannot be written", {}};
  }
  if (settings->chosen.size() < conformance::rules().size())
    return std::ranges::any_of(*outcomes, &Outcome::fails) ? exit_code::failure : exit_code::success;
  const std::string wanted = arguments.text("grade");
  const Grade least = wanted == "gold" ? Grade::gold : wanted == "silver" ? Grade::silver : Grade::bronze;
  const auto grade = conformance::grade_of(*outcomes);
  return grade && *grade >= least ? exit_code::success : exit_code::failure;
}

Result<int> test_driver(Session& session, const Arguments& arguments) {
  session.set_topic("");
  if (arguments.flag("list")) return list_rules(session);
  if (arguments.flag("page")) {
    session.out() << conformance::rules_page();
    return exit_code::success;
  }
  if (arguments.has("explain")) return explain_rule(session, arguments.text("explain"));
  if (arguments.text("FILE").empty())
    return Error{
        ErrorCode::invalid_argument, "expected the file of a driver or of a library of offers, such as ./rank.so", {}};
  for (const char* const some : {"only", "skip", "reproduce", "fuzz"})
    for (const char* const all : {"grade", "write"})
      if (arguments.has(some) && arguments.has(all))
        return Error{ErrorCode::invalid_argument,
                     std::string("--") + all + " and --" + some + " exclude each other: a grade counts all rules",
                     {}};
  return run(session, arguments);
}

// The process of one rule. Its answer goes to descriptor 3, because the driver may write to standard output.
Result<int> judge_rule(Session& /*session*/, const Arguments& arguments) {
  const Rule* const rule = conformance::find_check(arguments.text("RULE"));
  if (rule == nullptr) return no_rule(arguments.text("RULE"));
  auto answer = conformance::judge_rule(arguments.text("FILE"), *rule, arguments.all("option"),
                                        std::strtoull(arguments.text("SEED").c_str(), nullptr, 10));
  // cppcheck-suppress missingReturn ; _exit does not return
  if (!answer) return std::move(answer).error();
  const bool whole = ::write(3, answer->data(), answer->size()) == static_cast<ssize_t>(answer->size());
  // Destructors of the file are not run: what the rule found stands.
  ::_exit(whole ? exit_code::success : exit_code::failure);
}

const Option& option_of_file() {
  static const Option option{.name = "option",
                             .kind = ValueKind::text,
                             .value_name = "NAME=VALUE",
                             .help = "An option of the driver; OFFER.NAME=VALUE for a filter or weigher",
                             .repeatable = true};
  return option;
}

}  // namespace

std::vector<Command> driver_test_commands() {
  return {
      {.path = "driver test",
       .summary = "Tests a driver, or a library of filters and weighers, by rules, and grades it",
       .description =
           "Each rule runs in a process of its own with a limit of time and memory: a crash is that rule's failure. A "
           "file "
           "that keeps all rules of bronze loads and decides rightly, silver is robust, gold is a pleasure to operate. "
           "FILE.test.toml beside FILE.so names the rules that the file is exempt from, each with a reason. A policy "
           "in Lua "
           "is tested as the driver lua that runs it. Exit "
           "status 0: "
           "bronze, or the grade of --grade; 1: less; 78: the file is refused. A part of the rules gives no grade, and "
           "exit status 0 if none fails. The file's code runs: test no file that "
           "is "
           "not trusted. gantry-driver-rules(7) has all rules.",
       .positionals = {{"FILE", "the shared object, or a policy in Lua", false}},
       .options =
           {{.name = "only",
             .kind = ValueKind::text,
             .value_name = "RULE",
             .help = "Runs this rule",
             .repeatable = true},
            {.name = "skip",
             .kind = ValueKind::text,
             .value_name = "RULE",
             .help = "Leaves this rule out",
             .repeatable = true},
            option_of_file(),
            {.name = "exemptions", .kind = ValueKind::text, .value_name = "FILE", .help = "In place of FILE.test.toml"},
            {.name = "grade",
             .kind = ValueKind::text,
             .value_name = "GRADE",
             .help = "The grade for exit status 0; bronze without this option",
             .choices = {"bronze", "silver", "gold"}},
            {.name = "seed",
             .kind = ValueKind::integer,
             .value_name = "N",
             .help = "The seed of fleets and requests",
             .fallback = "1"},
            {.name = "limit",
             .kind = ValueKind::number,
             .value_name = "SECONDS",
             .help = "How long a rule may take",
             .fallback = "60",
             .minimum = 0.1},
            {.name = "fuzz",
             .kind = ValueKind::number,
             .value_name = "SECONDS",
             .help = "Plays random fleets and requests for so long, in place of the rules; --seed has the first",
             .minimum = 0.1},
            {.name = "reproduce",
             .kind = ValueKind::text,
             .value_name = "RULE:SEED",
             .help = "Runs one rule, or a random case, as it failed"},
            {.name = "only-failed", .help = "Shows the rules that failed alone"},
            {.name = "junit", .help = "Prints JUnit XML"},
            {.name = "write", .help = "Writes the result to FILE.test.json, too"},
            {.name = "list", .help = "Shows all rules"},
            {.name = "explain",
             .kind = ValueKind::text,
             .value_name = "RULE",
             .help = "Shows why a rule is one, a mistake and how to be exempt"},
            {.name = "page", .help = "Writes the page gantry-driver-rules(7) for scdoc"}},
       .examples = {{"gantry driver test ./rank.so", "before each release"},
                    {"gantry driver test ./rank.so --grade gold --junit", "in continuous integration"},
                    {"gantry driver test ./rank.so --fuzz 60", "a minute of random requests"},
                    {"gantry driver test --explain values-behind-nulls", "what is meant by a rule?"}},
       .run = test_driver},
      {.path = "driver judge-rule",
       .summary = "Runs one rule of driver test",
       .positionals = {{"FILE", "the shared object"}, {"RULE", "the rule"}, {"SEED", "the seed"}},
       .options = {option_of_file()},
       .run = judge_rule,
       .hidden = true}};
}

}  // namespace gantry::cli
