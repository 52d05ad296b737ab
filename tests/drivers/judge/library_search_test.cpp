// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/library_search.hpp"

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

// An ld.so.cache with one name, there for each of the kinds.
std::string cache_of(const std::vector<std::pair<std::int32_t, std::string>>& entries, const std::string& name) {
  const auto number = [](std::uint64_t value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(&value), bytes);
  };
  std::string texts = name + '\0';
  std::string cache = "glibc-ld.so.cache1.1" + number(entries.size(), 4) + number(0, 4) + std::string(20, '\0');
  const std::size_t texts_at = cache.size() + entries.size() * 24;
  for (const auto& [kind, path] : entries) {
    cache += number(static_cast<std::uint32_t>(kind), 4) + number(texts_at, 4) + number(texts_at + texts.size(), 4) +
             number(0, 4) + number(0, 8);
    texts += path + '\0';
  }
  return cache + texts;
}

TEST(LibrarySearch, IgnoresCacheEntriesOfOtherMachines) {
#if defined(__x86_64__)
  constexpr std::int32_t own = 0x0303;
  constexpr std::int32_t other = 0x0003;  // i386
#elif defined(__aarch64__)
  constexpr std::int32_t own = 0x0a03;
  constexpr std::int32_t other = 0x0903;  // arm
#else
  GTEST_SKIP() << "the cache's kinds of this machine are not told apart";
  constexpr std::int32_t own = 0;
  constexpr std::int32_t other = 0;
#endif
  const std::string cache = cache_of({{other, "/lib32/libdl.so.2"}, {own, "/lib64/libdl.so.2"}}, "libdl.so.2");
  EXPECT_THAT(find_in_cache(std::as_bytes(std::span(cache)), "libdl.so.2"), testing::ElementsAre("/lib64/libdl.so.2"));
}

TEST(LibrarySearch, LooksInTheFoldersThatOlderLinkersPrefer) {
  const TrustedDirectory directory;
  for (const char* const folder : {"tls", "tls/haswell/x86_64", "x86_64", "haswell/avx512_1"}) {
    std::filesystem::create_directories(directory.path() / folder);
    directory.write(std::string(folder) + "/libzoo.so", "x");
  }
  LibrarySearch search;
  search.first = {directory.path().string()};
  EXPECT_EQ(find_library(search, "libzoo.so").size(), 4U);
}

}  // namespace
}  // namespace gantry::drivers
