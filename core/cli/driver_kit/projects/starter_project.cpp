// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/starter_project.hpp"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

const std::vector<StarterProject>& starters() {
  static const std::vector<StarterProject> all{
      {"c", "driver", "c", "first_fit", "compute"},
      {"c", "filter", "c_filter", "site_filters", ""},
      {"c", "weigher", "c_weigher", "site_weighers", ""},
      {"c", "method", "method", "seat_keeper", "seats"},
      {"cpp", "driver", "cpp", "first_fit", "compute"},
      {"cpp", "filter", "filter", "site_filters", ""},
      {"cpp", "weigher", "weigher", "site_weighers", ""},
      {"cpp", "method", "cpp_method", "seat_keeper", "seats"},
      {"rust", "driver", "rust", "first_fit", "compute"},
      {"rust", "filter", "rust_filter", "site_filters", ""},
      {"rust", "weigher", "rust_weigher", "site_weighers", ""},
      {"lua", "driver", "lua", "site_policy", ""},
  };
  return all;
}

std::vector<std::string> distinct(std::string StarterProject::*member) {
  std::vector<std::string> values;
  for (const StarterProject& starter : starters())
    if (std::ranges::find(values, starter.*member) == values.end()) values.push_back(starter.*member);
  return values;
}

// The languages of a kind, or the kinds of a language: "c, cpp or rust".
std::string choices(std::string StarterProject::*given, const std::string& value, std::string StarterProject::*asked) {
  std::vector<std::string> names;
  for (const StarterProject& starter : starters())
    if (starter.*given == value) names.push_back(starter.*asked);
  std::string text;
  for (std::size_t at = 0; at < names.size(); ++at)
    text.append(at == 0 ? "" : at + 1 == names.size() ? " or " : ", ").append(names[at]);
  return text;
}

bool is_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_';
}

void replace_all(std::string& text, const std::string& old, const std::string& with) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
}

Error failed(const std::string& what, const fs::path& path, const std::error_code& problem) {
  return {problem == std::errc::permission_denied ? ErrorCode::permission_denied : ErrorCode::failed_precondition,
          what + " " + path.string() + ": " + problem.message(), ""};
}

// Copies one file, renamed within and without.
Result<void> copy_file(const fs::path& from, const fs::path& to, const StarterProject& starter,
                       const Renaming& renaming) {
  std::error_code problem;
  fs::create_directories(to.parent_path(), problem);
  if (problem) return failed("cannot make", to.parent_path(), problem);
  std::ifstream in(from, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return Error{ErrorCode::failed_precondition, "cannot read " + from.string(), ""};
  std::ofstream out(to, std::ios::binary);
  out << renamed(text.str(), starter, renaming);
  if (!out.flush()) return Error{ErrorCode::failed_precondition, "cannot write " + to.string(), ""};
  fs::permissions(to, fs::status(from).permissions() | fs::perms::owner_write, problem);
  return {};
}

Result<std::vector<std::string>> copy_files(const fs::path& from, const fs::path& to, const StarterProject& starter,
                                            const Renaming& renaming) {
  std::vector<std::string> made;
  std::error_code problem;
  for (fs::recursive_directory_iterator at(from, problem), end; at != end && !problem; at.increment(problem)) {
    if (!at->is_regular_file()) continue;
    const std::string name = renamed(fs::relative(at->path(), from).string(), starter, renaming);
    if (auto copied = copy_file(at->path(), to / name, starter, renaming); !copied) return std::move(copied).error();
    made.push_back(name);
  }
  if (problem) return failed("cannot read", from, problem);
  std::ranges::sort(made);
  return made;
}

Result<void> check_is_free(const fs::path& directory) {
  std::error_code problem;
  const fs::file_status status = fs::status(directory, problem);
  if (!fs::exists(status)) return {};
  if (fs::is_directory(status) && fs::is_empty(directory, problem) && !problem) return {};
  return Error{ErrorCode::already_exists,
               directory.string() + ": expected no file of that name or an empty directory, found " +
                   (fs::is_directory(status) ? "files in it" : "a file") + "; name another directory",
               ""};
}

}  // namespace

std::vector<std::string> starter_languages() {
  return distinct(&StarterProject::language);
}

std::vector<std::string> starter_kinds() {
  return distinct(&StarterProject::kind);
}

Result<StarterProject> find_starter(const std::string& language, const std::string& kind) {
  for (const StarterProject& starter : starters())
    if (starter.language == language && starter.kind == kind) return starter;
  const bool is_part_of_a_policy = language == "lua" && kind != "method";
  return Error{ErrorCode::invalid_argument,
               "there is no starter project of a " + kind + " in " + language + "; take --lang " +
                   choices(&StarterProject::kind, kind, &StarterProject::language) + ", or --kind " +
                   choices(&StarterProject::language, language, &StarterProject::kind) +
                   (is_part_of_a_policy ? ", a policy of filters and weighers" : ""),
               ""};
}

Result<void> check_driver_name(const std::string& name) {
  const bool begins = !name.empty() && is_word(name[0]) && name[0] != '_' && !(name[0] >= '0' && name[0] <= '9');
  const bool is_good =
      begins && name.size() <= 64 && std::ranges::all_of(name, [](char c) { return is_word(c) || c == '-'; });
  if (is_good) return {};
  return Error{ErrorCode::invalid_argument,
               "NAME: expected a letter, then letters, digits, _ and -, 64 at most, found \"" + name +
                   "\"; the name becomes the driver's id, its file and its class",
               ""};
}

Result<void> check_topic(const std::string& topic) {
  const auto is_allowed = [](char c) { return is_word(c) || c == '-' || c == '.'; };
  if (!topic.empty() && topic.size() <= 64 && std::ranges::all_of(topic, is_allowed)) return {};
  return Error{ErrorCode::invalid_argument,
               "--topic: expected 1 to 64 letters, digits, _, - and ., found \"" + topic + "\"", ""};
}

std::string renamed(std::string text, const StarterProject& starter, const Renaming& renaming) {
  std::string identifier = renaming.name;
  std::ranges::replace(identifier, '-', '_');
  // In two steps, for the new name may hold the old one. No text has this byte.
  const std::string mark(1, '\x01');
  replace_all(text, starter.name, mark);
  replace_all(text, mark + "_", identifier + "_");
  replace_all(text, mark, renaming.name);
  replace_all(text, "\"../../rust\"", "\"" + renaming.crate + "\"");
  replace_all(text, ":/usr/lib/pkgconfig\"", ":" + renaming.pkg_config + "\"");
  if (starter.topic.empty() || renaming.topic.empty()) return text;
  for (const std::string quote : {"'", "\""})
    replace_all(text, quote + starter.topic + quote, quote + renaming.topic + quote);
  return text;
}

Result<std::vector<std::string>> copy_starter(const fs::path& templates, const StarterProject& starter,
                                              const Renaming& renaming, const fs::path& directory) {
  const fs::path from = templates / starter.folder;
  std::error_code problem;
  if (!fs::is_directory(from, problem))
    return Error{ErrorCode::not_found,
                 "expected the starter project " + from.string() + ", found none; the SDK's is older or incomplete",
                 ""};
  if (auto is_free = check_is_free(directory); !is_free) return std::move(is_free).error();
  const fs::path parent = fs::absolute(directory / ".", problem).lexically_normal().parent_path().parent_path();
  std::string beside = (parent / ".gantry-new-XXXXXX").string();
  if (::mkdtemp(beside.data()) == nullptr)
    return failed("cannot make a directory in", parent, std::error_code(errno, std::generic_category()));
  auto made = copy_files(from, beside, starter, renaming);
  if (made) {
    fs::permissions(beside, fs::perms(0755), problem);
    fs::rename(beside, directory, problem);
    if (!problem) return made;
    made = failed("cannot make", directory, problem);
  }
  fs::remove_all(beside, problem);
  return made;
}

}  // namespace gantry::cli
