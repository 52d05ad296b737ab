// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "core/cli/driver_kit/judged_file.hpp"
#include "core/cli/driver_kit/projects/source_tree.hpp"
#include "core/cli/driver_kit/projects/tool.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

using Files = Result<std::vector<fs::path>>;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> shared_objects(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, none))
    if (entry.is_regular_file(none) && entry.path().extension() == ".so") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

// One way to build, with what each way needs.
class Build {
 public:
  Build(Session& session, const SdkPlaces& sdk, const SourceTree& tree, std::string sanitizer,
        const std::stop_token& stop)
      : session_(session), sdk_(sdk), tree_(tree), sanitizer_(std::move(sanitizer)), stop_(stop) {}

  Files run() {
    switch (tree_.system) {
      case BuildSystem::cargo: return cargo();
      case BuildSystem::cmake: return cmake();
      case BuildSystem::make: return make();
      default: return compile();
    }
  }

 private:
  std::string variable(const std::string& name) const {
    const auto& variables = session_.environment().variables;
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  }

  fs::path output() const { return build_directory(tree_, sanitizer_); }

  std::string sanitizer_flags() const { return "-fsanitize=" + sanitizer_ + " -fno-omit-frame-pointer"; }

  // The flags of sdk/templates/rust for a project that says none: without --no-gc-sections an older rustc drops the
  // manifest.
  Files cargo() {
    if (!sanitizer_.empty())
      return Error{ErrorCode::invalid_argument,
                   "--sanitize: expected a project in C or C++, found Cargo.toml; a released rustc has no sanitizers",
                   ""};
    Tool tool{.program = "cargo", .arguments = {"build", "--release"}, .directory = tree_.directory.string()};
    std::error_code none;
    if (variable("RUSTFLAGS").empty() && !fs::exists(tree_.directory / ".cargo" / "config.toml", none))
      tool.environment["RUSTFLAGS"] =
          "-C link-args=-Wl,-z,defs -C link-args=-Wl,-z,now -C link-args=-Wl,-z,relro -C link-args=-Wl,--build-id "
          "-C link-args=-Wl,--no-gc-sections";
    if (auto ran = run_tool(session_, tool, stop_); !ran) return std::move(ran).error();
    const std::string named = variable("CARGO_TARGET_DIR");
    const fs::path target = (named.empty() ? tree_.directory / "target" : fs::path(named)) / "release";
    std::vector<fs::path> libraries;
    for (const fs::path& file : shared_objects(target))
      if (file.filename().string().starts_with("lib")) libraries.push_back(file);
    std::ranges::sort(libraries, {}, [](const fs::path& file) {
      std::error_code unknown;
      return fs::last_write_time(file, unknown);
    });
    if (libraries.size() > 1) libraries.erase(libraries.begin(), libraries.end() - 1);
    return libraries;
  }

  // The names that gantry_add_driver and gantry_add_offers get in the file, as far as they are plain words.
  std::vector<std::string> cmake_targets() const {
    static const std::regex call(R"(\bgantry_add_(?:driver|offers)\s*\(\s*([A-Za-z0-9_-]+)\s)");
    const std::string text = text_of(tree_.directory / "CMakeLists.txt");
    std::vector<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) names.push_back((*at)[1]);
    return names;
  }

  Files cmake() {
    const std::string directory = output().string();
    Tool configure{.program = "cmake",
                   .arguments = {"-S", tree_.directory.string(), "-B", directory, "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                                 "-DCMAKE_PREFIX_PATH=" + sdk_.prefix.string()}};
    if (!sanitizer_.empty())
      for (const char* key : {"-DCMAKE_C_FLAGS=", "-DCMAKE_CXX_FLAGS="})
        configure.arguments.push_back(key + sanitizer_flags());
    if (!sanitizer_.empty()) configure.arguments.push_back("-DGANTRY_SANITIZE=" + sanitizer_);
    if (auto ran = run_tool(session_, configure, stop_); !ran) return std::move(ran).error();
    // The drivers alone: their test takes longer to compile.
    const std::vector<std::string> targets = cmake_targets();
    Tool make{.program = "cmake", .arguments = {"--build", directory}};
    if (!targets.empty()) make.arguments.emplace_back("--target");
    make.arguments.insert(make.arguments.end(), targets.begin(), targets.end());
    if (auto ran = run_tool(session_, make, stop_); !ran) return std::move(ran).error();
    const fs::path place = output() / "lib" / "gantry" / "drivers";
    if (targets.empty()) return shared_objects(place);
    std::vector<fs::path> made;
    made.reserve(targets.size());
    for (const std::string& target : targets) made.push_back(place / (target + ".so"));
    return made;
  }

  // A file with a sanitizer is moved away, so that the next make does not take it for its own.
  Files make() {
    Tool tool{.program = "make",
              .arguments = {"-C", tree_.directory.string()},
              .environment = {{"PKG_CONFIG_PATH", sdk_.pkg_config.string() + ":" + variable("PKG_CONFIG_PATH")}}};
    const std::string flags = "-O1 -g " + sanitizer_flags();
    if (!sanitizer_.empty())
      for (const std::string& word :
           {std::string("-B"), "CFLAGS=" + flags, "CXXFLAGS=" + flags, "LDFLAGS=-fsanitize=" + sanitizer_})
        tool.arguments.push_back(word);
    if (auto ran = run_tool(session_, tool, stop_); !ran) return std::move(ran).error();
    std::vector<fs::path> made = shared_objects(tree_.directory);
    if (sanitizer_.empty()) return made;
    std::error_code problem;
    fs::create_directories(output(), problem);
    for (fs::path& file : made) {
      const fs::path place = output() / file.filename();
      fs::rename(file, place, problem);
      if (problem) return Error{ErrorCode::failed_precondition, place.string() + ": " + problem.message(), ""};
      file = place;
    }
    return made;
  }

  Tool compiler(bool is_c) const {
    const std::string named = variable(is_c ? "CC" : "CXX");
    Tool tool{.program = is_c ? "cc" : "c++"};
    std::istringstream words(named);  // "ccache g++" is two
    std::string word;
    if (words >> word) tool.program = word;
    while (words >> word) tool.arguments.push_back(word);
    return tool;
  }

  Files compile() {
    const bool is_c = tree_.source.extension() == ".c";
    const std::string text = text_of(tree_.source);
    const bool is_library =
        text.find("GANTRY_OFFERS") != std::string::npos || text.find("gantry_offers_entry") != std::string::npos;
    const fs::path map = sdk_.maps / (is_library ? "gantry_offers.map" : "gantry_driver.map");
    const fs::path made = output() / (tree_.source.stem().string() + ".so");
    Tool tool = compiler(is_c);
    const bool is_clang = tool.program.find("clang") != std::string::npos;
    std::vector<std::string> flags{is_c ? "-std=c11" : "-std=c++17",
                                   "-O2",
                                   "-g",
                                   "-Wall",
                                   "-Wextra",
                                   "-shared",
                                   "-fPIC",
                                   "-fvisibility=hidden",
                                   "-I",
                                   sdk_.include.string(),
                                   tree_.source.string(),
                                   "-Wl,-z,now",
                                   "-Wl,-z,relro",
                                   "-Wl,-z,noexecstack",
                                   "-Wl,--build-id",
                                   "-Wl,--version-script=" + map.string(),
                                   "-o",
                                   made.string()};
    if (!is_c) flags.emplace_back("-fvisibility-inlines-hidden");
    if (!is_c && !is_clang) flags.emplace_back("-fno-gnu-unique");
    // clang leaves the sanitizers' symbols to the program.
    if (sanitizer_.empty() || !is_clang) flags.emplace_back("-Wl,-z,defs");
    if (!sanitizer_.empty())
      for (const char* flag : {"-fno-omit-frame-pointer", "-O1"}) flags.emplace_back(flag);
    if (!sanitizer_.empty()) flags.push_back("-fsanitize=" + sanitizer_);
    tool.arguments.insert(tool.arguments.end(), flags.begin(), flags.end());
    std::error_code problem;
    fs::create_directories(output(), problem);
    if (problem) return Error{ErrorCode::failed_precondition, output().string() + ": " + problem.message(), ""};
    if (auto ran = run_tool(session_, tool, stop_); !ran) return std::move(ran).error();
    return std::vector{made};
  }

  Session& session_;
  const SdkPlaces& sdk_;
  const SourceTree& tree_;
  std::string sanitizer_;
  const std::stop_token& stop_;
};

// Gives a file the name that the daemon looks for, which cargo and a compiler alone do not know.
Result<drivers::DriverFile> judged_under_its_name(const fs::path& path) {
  auto file = judge_file(path.string());
  if (!file) return file;
  const std::string name = file->manifest.id + ".so";
  if (path.filename() == name) return file;
  const fs::path place = path.parent_path() / name;
  const fs::path beside = path.parent_path() / ("." + name + ".new");
  std::error_code problem;
  fs::copy_file(path, beside, fs::copy_options::overwrite_existing, problem);
  if (!problem) fs::rename(beside, place, problem);
  if (problem) return Error{ErrorCode::failed_precondition, place.string() + ": " + problem.message(), ""};
  return judge_file(place.string());
}

}  // namespace

Result<std::vector<drivers::DriverFile>> build(Session& session, const SdkPlaces& sdk, const SourceTree& tree,
                                               const std::string& sanitizer, const std::stop_token& stop) {
  const auto made = Build(session, sdk, tree, sanitizer, stop).run();
  if (!made) return made.error();
  std::vector<drivers::DriverFile> files;
  for (const fs::path& path : *made) {
    auto file = judged_under_its_name(path.lexically_normal());
    if (!file) return std::move(file).error();
    files.push_back(*std::move(file));
  }
  if (!files.empty()) return files;
  return Error{ErrorCode::invalid_configuration,
               tree.directory.string() + ": expected the build to make a shared object (.so), found none; use " +
                   "gantry_add_driver in CMakeLists.txt, crate-type = [\"cdylib\"] in Cargo.toml, or see "
                   "`gantry driver new`",
               ""};
}

}  // namespace gantry::cli
