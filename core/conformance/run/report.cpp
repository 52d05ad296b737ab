// SPDX-License-Identifier: Apache-2.0
#include "core/conformance/run/report.hpp"

#include <algorithm>

namespace gantry::conformance {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

// scdoc reads these characters as markup.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '_' || c == '*' || c == '\\' || c == '#' || c == '[' || c == '|' || c == '~' || c == '`') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string_view state_of(const Outcome& outcome) {
  switch (outcome.verdict.state) {
    case State::passed: return "passed";
    case State::failed: return outcome.exemption.empty() ? "failed" : "exempt";
    default: return "not_applicable";
  }
}

json::object report(const Subject& subject, const std::vector<Outcome>& outcomes, const std::string& cost) {
  json::array each;
  json::array failures;
  for (const Outcome& outcome : outcomes) {
    if (outcome.fails()) failures.emplace_back(outcome.rule->id);
    json::object row{{"rule", outcome.rule->id},   {"grade", name_of(outcome.rule->grade)},
                     {"state", state_of(outcome)}, {"title", outcome.rule->title},
                     {"seed", outcome.seed},       {"milliseconds", outcome.took.count()}};
    if (outcome.verdict.state == State::failed) {
      row["expected"] = outcome.verdict.expected;
      row["found"] = outcome.verdict.found;
      row["clause"] = outcome.rule->clause;
    }
    if (outcome.verdict.state == State::not_applicable) row["reason"] = outcome.verdict.found;
    if (!outcome.exemption.empty()) row["exemption"] = outcome.exemption;
    each.emplace_back(std::move(row));
  }
  const auto grade = grade_of(outcomes);
  const drivers::Manifest& manifest = subject.manifest();
  return {{"id", manifest.own_id()},
          {"version", manifest.version},
          {"file", subject.file().path},
          {"sha256", subject.file().sha256},
          {"abi", std::to_string(manifest.abi_major) + "." + std::to_string(manifest.abi_minor)},
          {"lowest_host", std::to_string(manifest.abi_major) + "." + std::to_string(manifest.needs_minor)},
          {"gantry", GANTRY_VERSION},
          {"grade", grade ? json::value(name_of(*grade)) : json::value(nullptr)},
          {"cost_in_scans", cost.empty() ? json::value(nullptr) : json::value(std::stod(cost))},
          {"failed", std::move(failures)},
          {"rules", std::move(each)}};
}

std::string junit(const Subject& subject, const std::vector<Outcome>& outcomes) {
  const auto failures = std::ranges::count_if(outcomes, &Outcome::fails);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"" +
                    escaped(subject.manifest().own_id()) + "\" tests=\"" + std::to_string(outcomes.size()) +
                    "\" failures=\"" + std::to_string(failures) + "\">\n";
  for (const Outcome& outcome : outcomes) {
    xml += "  <testcase classname=\"" + std::string(name_of(outcome.rule->grade)) + "\" name=\"" +
           std::string(outcome.rule->id) + "\" time=\"" +
           std::to_string(static_cast<double>(outcome.took.count()) / 1000) + "\">";
    if (outcome.fails())
      xml += "<failure message=\"" +
             escaped("expected " + outcome.verdict.expected + ", found " + outcome.verdict.found) + "\">" +
             escaped(outcome.rule->clause) + "</failure>";
    else if (outcome.verdict.state != State::passed)
      xml += "<skipped message=\"" +
             escaped(outcome.exemption.empty() ? outcome.verdict.found : "exempt: " + outcome.exemption) + "\"/>";
    xml += "</testcase>\n";
  }
  return xml + "</testsuite>\n";
}

std::string rules_page() {
  std::string page =
      "gantry-driver-rules(7)\n\n# NAME\n\ngantry-driver-rules - the rules of gantry driver test\n\n# DESCRIPTION\n\n"
      "*gantry driver test* runs each rule in a process of its own. A driver, or a library of filters and weighers, "
      "that "
      "keeps all rules of a grade and of the grades below has the grade. Bronze: the file loads and decides rightly. "
      "Silver: the file is robust. Gold: the file is a pleasure to operate.\n\n"
      "A file may be exempt from a rule. The TOML file _NAME_.test.toml beside _NAME_.so then has the rule as a key "
      "and "
      "the reason as text.\n\n"
      "*--fuzz* plays random fleets, requests and orders of operations instead, for so many seconds, and names the "
      "seed "
      "that repeats what it finds. A run of all rules also says what a decision among 10,000 hosts costs, beside a "
      "scan "
      "of one column by the same processor: a measure, no rule.\n\n";
  for (const Grade grade : {Grade::bronze, Grade::silver, Grade::gold}) {
    std::string title(name_of(grade));
    std::ranges::transform(title, title.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    page += "# " + title + "\n\n";
    for (const Rule& rule : rules()) {
      if (rule.grade != grade) continue;
      page += "*" + plain(rule.id) + "*\n\t" + plain(rule.title) + ". " + plain(rule.why) +
              " A mistake: " + plain(rule.mistake) + ". See " + plain(rule.clause) + ".\n\n";
    }
  }
  return page + "# SEE ALSO\n\n*gantry*(1), *gantryd*(8)\n";
}

}  // namespace gantry::conformance
