// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/library_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/drivers/trusted_directory.hpp"

namespace gantry::drivers {
namespace {

TEST(LibrarySearch, KnowsThatTheCLibraryIsLoaded) {
  EXPECT_TRUE(is_loaded("libc.so.6"));
  EXPECT_FALSE(is_loaded("libgantry_no_such.so"));
}

TEST(LibrarySearch, FindsASystemLibraryWhereLdSoDoes) {
  EXPECT_THAT(find_library(process_search({}), "libcrypto.so.3"),
              testing::Contains(testing::HasSubstr("libcrypto.so.3")));
}

TEST(LibrarySearch, LooksInLdLibraryPathFirstAndInItsProcessorFoldersToo) {
  const TrustedDirectory directory;
  std::filesystem::create_directories(directory.path() / "glibc-hwcaps/x86-64-v9");
  directory.write("libzoo.so", "x");
  directory.write("glibc-hwcaps/x86-64-v9/libzoo.so", "x");
  LibrarySearch search;
  search.first = {directory.path().string()};
  EXPECT_EQ(find_library(search, "libzoo.so").size(), 2U);
}

TEST(LibrarySearch, FindsNothingInADamagedCache) {
  const std::string damaged = std::string("glibc-ld.so.cache1.1") + std::string(28, '\xff');
  EXPECT_TRUE(find_in_cache(std::as_bytes(std::span(damaged)), "libc.so.6").empty());
  EXPECT_TRUE(find_in_cache({}, "libc.so.6").empty());
}

}  // namespace
}  // namespace gantry::drivers
