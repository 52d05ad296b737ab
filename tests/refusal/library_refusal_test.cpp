// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <cstdlib>

#include "core/drivers/judge/library_trust.hpp"
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

// Sets LD_LIBRARY_PATH while it lives: the rules read it as ld.so does.
class LibraryPath {
 public:
  explicit LibraryPath(const std::filesystem::path& directory) {
    if (const char* before = ::getenv("LD_LIBRARY_PATH")) before_ = before;
    ::setenv("LD_LIBRARY_PATH", directory.c_str(), 1);
  }
  ~LibraryPath() {
    if (before_) ::setenv("LD_LIBRARY_PATH", before_->c_str(), 1);
    if (!before_) ::unsetenv("LD_LIBRARY_PATH");
  }
  LibraryPath(const LibraryPath&) = delete;
  LibraryPath& operator=(const LibraryPath&) = delete;

 private:
  std::optional<std::string> before_;
};

class LibraryRefusal : public ZooTest {
 protected:
  const std::string driver_ = put("needs_library");
};

TEST_F(LibraryRefusal, NamesAMissingLibrary) {
  EXPECT_THAT(check(), mentions({driver_, "needed library", "libzoo_library.so", "no such file"}));
}

TEST_F(LibraryRefusal, AcceptsALibraryThatFollowsTheRulesOfADriver) {
  directory_.add(built("libzoo_library.so"), "libzoo_library.so");
  const LibraryPath path(directory_.path());
  EXPECT_EQ(check(), "no error");
}

TEST_F(LibraryRefusal, RefusesALibraryThatOthersMayWrite) {
  const std::string library = directory_.add(built("libzoo_library.so"), "libzoo_library.so");
  ::chmod(library.c_str(), 0666);
  const LibraryPath path(directory_.path());
  EXPECT_THAT(check(), mentions({driver_, "needed library libzoo_library.so", library, "mode", "found mode 0666"}));
}

TEST_F(LibraryRefusal, RefusesALibraryInADirectoryThatOthersMayWrite) {
  const auto open = directory_.path() / "open";
  std::filesystem::create_directories(open);
  directory_.add(built("libzoo_library.so"), "open/libzoo_library.so");
  ::chmod(open.c_str(), 01777);
  const LibraryPath path(open);
  EXPECT_THAT(check(), mentions({driver_, "directory " + open.string(), "sticky"}));
}

TEST_F(LibraryRefusal, RefusesALibraryOfTheWorkingDirectory) {
  directory_.add(built("libzoo_library.so"), "libzoo_library.so");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory_.path());
  {
    const LibraryPath path("");
    EXPECT_THAT(check(), mentions({driver_, "libzoo_library.so", "no such file"}));
  }
  {
    const LibraryPath path(":/no/such");
    EXPECT_THAT(check(), mentions({driver_, "libzoo_library.so", "absolute path"}));
  }
  std::filesystem::current_path(before);
}

TEST_F(LibraryRefusal, RefusesALibraryThatIsTruncated) {
  const std::string content = read_file(built("libzoo_library.so"));
  const std::string library = directory_.write("libzoo_library.so", content.substr(0, content.size() / 2));
  const LibraryPath path(directory_.path());
  EXPECT_THAT(check(), mentions({driver_, library, "truncated"}));
}

TEST_F(LibraryRefusal, RefusesALibraryThatOthersMayWriteInAFolderForProcessors) {
  directory_.add(built("libzoo_library.so"), "libzoo_library.so");
  std::filesystem::create_directories(directory_.path() / "tls/x86_64");
  const std::string library = directory_.add(built("libzoo_library.so"), "tls/x86_64/libzoo_library.so");
  ::chmod(library.c_str(), 0666);
  const LibraryPath path(directory_.path());
  EXPECT_THAT(check(), mentions({driver_, library, "mode", "found mode 0666"}));
}

// A library of the system's own may need one that LD_LIBRARY_PATH has as well.
class SystemLibraryRefusal : public LibraryRefusal {
 protected:
  SystemLibraryRefusal() {
    std::filesystem::create_directories(system_);
    std::filesystem::create_directories(elsewhere_);
    directory_.add(built("libzoo_outer.so"), "system/libzoo_outer.so");
    search_.first = {elsewhere_.string()};
    search_.cache = "/no/such/cache";
    search_.system = {system_.string()};
  }
  std::string check_outer() const {
    const Result<void> checked = check_libraries("/lib/zoo.so", {"libzoo_outer.so"}, search_);
    return checked ? "no error" : checked.error().message;
  }

  const std::filesystem::path system_ = directory_.path() / "system";
  const std::filesystem::path elsewhere_ = directory_.path() / "elsewhere";
  LibrarySearch search_;
};

TEST_F(SystemLibraryRefusal, ChecksLibrariesThatSystemLibrariesNeedFromElsewhere) {
  const std::string inner = directory_.add(built("libzoo_library.so"), "elsewhere/libzoo_library.so");
  EXPECT_EQ(check_outer(), "no error");
  ::chmod(inner.c_str(), 0666);
  EXPECT_THAT(check_outer(), mentions({"/lib/zoo.so", "needed library libzoo_library.so", "libzoo_outer.so", inner,
                                       "found mode 0666"}));
}

TEST_F(SystemLibraryRefusal, AcceptsLibrariesOfTheSystem) {
  const std::string inner = directory_.add(built("libzoo_library.so"), "system/libzoo_library.so");
  ::chmod(inner.c_str(), 0666);
  EXPECT_EQ(check_outer(), "no error");
}

}  // namespace
}  // namespace gantry::drivers
