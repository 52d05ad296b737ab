// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/check_program.hpp"

#include <array>
#include <ostream>
#include <sstream>

#include "core/config/nova/named_databases.hpp"
#include "core/config/nova/wanted_files.hpp"
#include "core/encoding/json.hpp"
#include "core/nova/check/grants_text.hpp"
#include "core/nova/check/level_search.hpp"
#include "core/nova/check/privileges.hpp"
#include "core/nova/check/run_check.hpp"

namespace gantry::nova {

namespace {

// Servers choose some of the words: a control character must not reach the terminal.
std::string for_terminal(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    const bool is_control = static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
    safe += is_control ? ' ' : letter;
  }
  return safe;
}

// Prints findings as they come, and a summary.
class Printer {
 public:
  Printer(PrintFormat format, std::ostream& out) : format_(format), out_(out) {}

  void take(const Finding& finding) {
    ++counts_[static_cast<std::size_t>(finding.level)];
    if (!finding.grant.empty()) grants_.push_back(finding.grant);
    if (format_ == PrintFormat::json) return keep(finding);
    std::string level(word_of(finding.level));
    if (format_ == PrintFormat::value) {
      out_ << level << '\t' << for_terminal(finding.subject) << '\t' << for_terminal(finding.sentence) << '\t'
           << for_terminal(finding.grant) << '\n'
           << std::flush;
      return;
    }
    level.resize(9, ' ');
    out_ << level << for_terminal(finding.subject) << ": " << for_terminal(finding.sentence) << '\n' << std::flush;
  }

  void end(Level worst) {
    if (format_ == PrintFormat::value) return;
    if (format_ == PrintFormat::json) {
      json::array grants;
      for (const auto& grant : grants_) grants.emplace_back(grant);
      out_ << json::write_pretty(json::object{
                  {"worst", word_of(worst)}, {"findings", std::move(findings_)}, {"grants", std::move(grants)}})
           << '\n'
           << std::flush;
      return;
    }
    if (!grants_.empty()) out_ << "\nlacking privileges:\n";
    for (const auto& grant : grants_) out_ << "  " << for_terminal(grant) << ";\n";
    out_ << (worst == Level::ok ? "\nall is well: " : "\n") << counts_[0] << " ok, " << count_of(counts_[1], "warning")
         << ", " << counts_[2] << " failed\n"
         << std::flush;
  }

 private:
  void keep(const Finding& finding) {
    json::object kept{{"subject", finding.subject}, {"level", word_of(finding.level)}, {"sentence", finding.sentence}};
    if (!finding.grant.empty()) kept["grant"] = finding.grant;
    findings_.emplace_back(std::move(kept));
  }

  PrintFormat format_;
  std::ostream& out_;
  std::array<std::size_t, 3> counts_{};
  std::vector<std::string> grants_;
  json::array findings_;
};

json::array texts(const std::vector<std::string>& list) {
  json::array items;
  for (const auto& text : list) items.emplace_back(text);
  return items;
}

Result<SearchedLevel> level_of(const std::vector<std::string>& files) {
  auto wanted = config::nova::read_wanted_files(files);
  if (!wanted.problems.empty()) return Error{ErrorCode::invalid_configuration, wanted.problems.front(), ""};
  const auto settings = config::nova::named_databases(config::nova::Conf(std::move(wanted.files)));
  if (!settings) return settings.error();
  return search_level(*settings);
}

constexpr const char* no_deployment = "expected the files of a deployment in nova.config_files, found none";

}  // namespace

void print_check_error(const Error& error, int exit_status, PrintFormat format, std::ostream& err) {
  if (format != PrintFormat::json) {
    std::istringstream lines(error.message);
    for (std::string line; std::getline(lines, line);) err << "gantry: " << for_terminal(line) << '\n';
    return;
  }
  json::object told{{"code", name_of(error.code)},
                    {"message", error.message},
                    {"details", json::object()},
                    {"exit_code", exit_status}};
  err << json::write(json::object{{"error", std::move(told)}}) << '\n';
}

PrintedCheck nova_check_main(const config::Loaded& loaded, PrintFormat format, std::ostream& out) {
  Printer printer(format, out);
  Level before = Level::ok;
  for (const auto& warning : loaded.warnings) {
    before = Level::warning;
    printer.take({"configuration", Level::warning, warning, ""});
  }
  CheckEnd end{Level::failed, true};
  if (loaded.settings.nova.is_configured())
    end = run_check(loaded.settings.nova, [&printer](const Finding& finding) { printer.take(finding); });
  else
    printer.take({"configuration", Level::failed, no_deployment, ""});
  const auto worst = std::max(end.worst, before);
  printer.end(worst);
  return {static_cast<int>(worst), end.has_ended};
}

int nova_level_main(const std::vector<std::string>& files, std::ostream& out) {
  const auto searched = level_of(files);
  json::object told{{"level", nullptr}};
  if (!searched) {
    told["why"] = searched.error().message;
  } else {
    const auto& found = searched->found;
    if (found.level != nullptr) told["level"] = found.level->level;
    json::array could_be;
    for (const auto* release : found.could_be) could_be.emplace_back(release->level);
    told["could_be"] = std::move(could_be);
    told["signs"] = texts(found.signs);
    told["warnings"] = texts(searched->warnings);
  }
  out << json::write(told) << '\n' << std::flush;
  return check_status::ok;
}

int nova_grants_main(const config::Loaded& loaded, const std::string& user, const std::string& from, PrintFormat format,
                     std::ostream& out, std::ostream& err) {
  auto grants = loaded.settings.nova.is_configured()
                    ? grants_for(loaded.settings.nova, grantee_of(user, from))
                    : Result<std::vector<ServerGrants>>(Error{ErrorCode::invalid_configuration, no_deployment, ""});
  if (!grants) {
    print_check_error(grants.error(), check_status::failed, format, err);
    return check_status::failed;
  }
  json::array servers;
  for (const auto& [place, statements] : *grants) {
    json::array list;
    if (format == PrintFormat::lines)
      out << "-- on " << for_terminal(place) << ", after CREATE USER " << for_terminal(grantee_of(user, from))
          << " IDENTIFIED BY '...'\n";
    for (const auto& statement : statements) {
      if (format != PrintFormat::json) out << for_terminal(statement) << ";\n";
      list.emplace_back(statement);
    }
    servers.emplace_back(json::object{{"server", place}, {"statements", std::move(list)}});
  }
  if (format == PrintFormat::json) out << json::write_pretty(json::object{{"grants", std::move(servers)}}) << '\n';
  return check_status::ok;
}

}  // namespace gantry::nova
