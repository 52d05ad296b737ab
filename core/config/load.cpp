// SPDX-License-Identifier: Apache-2.0
#include "core/config/load.hpp"

#include <filesystem>

#include "core/config/assignments.hpp"
#include "core/config/files.hpp"
#include "core/config/interpret.hpp"
#include "core/config/toml.hpp"

namespace gantry::config {

namespace {

// All sources in their order, and everything that is wrong with them.
class Loading {
 public:
  explicit Loading(const Sources& sources) : sources_(sources) {}

  Result<Loaded> run() {
    take_file(sources_.file, sources_.file_must_exist);
    take_drop_ins();
    take_assignments(from_environment(sources_.environment));
    take_assignments(from_overrides(sources_.overrides));
    interpreter_.finish();
    append(problems_, interpreter_.problems());
    append(warnings_, interpreter_.warnings());
    if (!problems_.empty()) return Error{ErrorCode::invalid_configuration, in_lines(problems_), ""};
    return Loaded{interpreter_.settings(), interpreter_.shown(), std::move(warnings_)};
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
    const auto tree = parse_toml((*file)->text, path);
    if (tree)
      interpreter_.take(*tree);
    else
      problems_.push_back(tree.error().message);
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
    for (const auto& tree : assignments.trees) interpreter_.take(tree);
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
  Interpreter interpreter_;
  std::vector<std::string> problems_;
  std::vector<std::string> warnings_;
};

}  // namespace

Result<Loaded> load(const Sources& sources) {
  return Loading(sources).run();
}

}  // namespace gantry::config
