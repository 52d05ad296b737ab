// SPDX-License-Identifier: Apache-2.0
#include "core/config/load.hpp"

#include <algorithm>
#include <filesystem>

#include "core/config/assignments.hpp"
#include "core/config/interpret.hpp"
#include "core/config/keys.hpp"
#include "core/config/sources/files.hpp"
#include "core/config/sources/toml.hpp"

namespace gantry::config {

namespace {

// All sources in their order, and everything that is wrong with them.
class Loading {
 public:
  explicit Loading(const Sources& sources) : sources_(sources) {}

  Result<Loaded> run() {
    if (!sources_.file.empty()) {
      take_file(sources_.file, sources_.file_must_exist);
      take_drop_ins();
    }
    take_assignments(from_environment(sources_.environment));
    take_assignments(from_overrides(sources_.overrides));
    take_nova();
    for (const Table& tree : trees_) interpreter_.take(tree);
    interpreter_.finish();
    append(problems_, interpreter_.problems());
    append(warnings_, interpreter_.warnings());
    if (!problems_.empty()) return Error{ErrorCode::invalid_configuration, in_lines(problems_), ""};
    return Loaded{sources_, interpreter_.settings(), interpreter_.shown(), std::move(warnings_)};
  }

 private:
  void take_file(const std::string& path, bool must_exist) {
    const auto file = read_file(path);
    if (!file) {
      problems_.push_back(file.error().message);
      return;
    }
    if (!*file) {
      if (must_exist) problems_.push_back(path + ": expected a configuration file, found none of that name");
      return;
    }
    if ((*file)->others_may_write)
      warnings_.push_back(path + ": everyone may write to it, and it names code to run; do: chmod o-w " + path);
    auto tree = parse_toml((*file)->text, path);
    if (!tree) {
      problems_.push_back(tree.error().message);
      return;
    }
    if ((*file)->others_may_read && holds_secret(*tree))
      warnings_.push_back(path + ": everyone may read it, and it holds a password; do: chmod o-r " + path);
    trees_.push_back(*std::move(tree));
  }

  static bool holds_secret(const Table& tree) {
    return std::ranges::any_of(keys(), [&](const Key& key) {
      const Member* section = key.form == Form::secret ? tree.find(key.section) : nullptr;
      const auto* table = section == nullptr ? nullptr : section->node.get<Table>();
      return table != nullptr && table->find(key.name) != nullptr;
    });
  }

  // The deployment's files are the lowest layer, and a later source says which they are.
  void take_nova() {
    if (!sources_.reads_nova) return;
    Interpreter names;
    for (const Table& tree : trees_) names.take(tree);
    const auto& files = names.settings().nova.config_files;
    if (files.empty()) return;
    interpreter_.take_nova(nova::read_deployment(files, release_in(names.settings()), fault_of_key));
  }

  // Nova of Zed is the oldest that Gantry schedules for.
  nova::Release release_in(const Settings& settings) {
    const auto driver = settings.drivers.find("filter");
    if (driver == settings.drivers.end()) return nova::newest_release;
    const auto option = driver->second.options.find("compatibility");
    if (option == driver->second.options.end()) return nova::newest_release;
    const auto* const name = std::get_if<std::string>(&option->second.value);
    // The driver refuses a name that no release has.
    const auto release =
        name == nullptr ? nova::newest_release : nova::release_named(*name).value_or(nova::newest_release);
    if (release >= nova::Release::zed) return release;
    problems_.push_back(option->second.origin +
                        ": driver.filter.compatibility: expected zed or a later release, for nova.config_files names "
                        "the files of a deployment, found " +
                        to_toml(std::string_view(*name)));
    return nova::Release::zed;
  }

  void take_drop_ins() {
    const bool is_named = !sources_.drop_in_directory.empty();
    const std::string directory = is_named ? sources_.drop_in_directory
                                           : (std::filesystem::path(sources_.file).parent_path() / "conf.d").string();
    const auto names = drop_ins(directory);
    if (!names) {
      problems_.push_back(names.error().message);
      return;
    }
    if (!*names) {
      if (is_named) problems_.push_back(directory + ": expected a directory of drop-in files, found none of that name");
      return;
    }
    // A name that was listed and is gone now was a dangling link, or has been removed: worth a message either way.
    for (const auto& name : **names) take_file(name, true);
  }

  void take_assignments(const Assignments& assignments) {
    append(problems_, assignments.problems);
    trees_.insert(trees_.end(), assignments.trees.begin(), assignments.trees.end());
  }

  static void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  static std::string in_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
  }

  const Sources& sources_;
  std::vector<Table> trees_;  // one for each source, in the order of the sources
  Interpreter interpreter_;
  std::vector<std::string> problems_;
  std::vector<std::string> warnings_;
};

}  // namespace

Result<Loaded> load(const Sources& sources) {
  return Loading(sources).run();
}

}  // namespace gantry::config
