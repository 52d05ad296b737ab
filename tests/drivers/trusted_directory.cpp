// SPDX-License-Identifier: Apache-2.0
#include "tests/drivers/trusted_directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "core/drivers/file/trusted_file.hpp"

namespace gantry::drivers {
namespace {

bool is_trusted(const std::filesystem::path& directory) {
  const std::string probe = (directory / "probe").string();
  std::ofstream(probe) << "probe";
  ::chmod(probe.c_str(), 0644);
  return static_cast<bool>(open_trusted(probe, LastLink::refused));
}

}  // namespace

TrustedDirectory::TrustedDirectory() {
  const std::array<const char*, 4> bases{::getenv("GANTRY_TEST_DIRECTORY"), ::getenv("HOME"), "/var/lib", "."};
  for (const char* const base : bases) {
    if (base == nullptr || *base == '\0') continue;
    if (::access(base, W_OK) != 0) continue;
    directory_ = std::make_unique<support::ScratchDirectory>(std::filesystem::absolute(base), ".gantry-test-");
    path_ = directory_->path();
    if (is_trusted(path_)) return;
  }
  ADD_FAILURE() << "expected a directory that only this user may write to, found none; set GANTRY_TEST_DIRECTORY";
}

std::string TrustedDirectory::add(const std::filesystem::path& from, const std::string& name) const {
  const std::filesystem::path to = path_ / name;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
  ::chmod(to.c_str(), 0644);
  return to.string();
}

std::string TrustedDirectory::write(const std::string& name, const std::string& content) const {
  const std::string to = (path_ / name).string();
  std::ofstream(to, std::ios::binary) << content;
  ::chmod(to.c_str(), 0644);
  return to;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  std::string content(std::filesystem::file_size(path), '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  return content;
}

}  // namespace gantry::drivers
