// SPDX-License-Identifier: Apache-2.0
//
// Stores of which a part has been overwritten or cut off: refused with the damage named and left as they are, or opened
// with everything in them.
#include <gmock/gmock.h>

#include "tests/store/store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

constexpr std::size_t page = 4096;
constexpr int documents = 40;

class Damage : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    {
      const auto store = opened();
      for (int i = 0; i < documents; ++i) {
        const Kind kind = i % 2 == 0 ? Kind::service : Kind::instance;
        store->submit(put(std::to_string(i), std::string(static_cast<std::size_t>(i) * 150, 'd'), kind), nullptr);
      }
      store->flush();
      for (int i = 0; i < documents; i += 7) store->submit(removal(std::to_string(i)), nullptr);
    }
    sound_ = bytes_of(settings_.path);
    ASSERT_GT(sound_.size(), 20 * page);
    const auto store = opened();
    services_ = loaded(*store);
    instances_ = loaded(*store, Kind::instance);
  }

  // 1: refused as damaged; 0: opened with everything.
  int tried(const std::string& bytes, const std::string& what) {
    std::filesystem::remove(settings_.path + "-wal");
    write_bytes(settings_.path, bytes);
    auto store = open_sqlite(settings_);
    if (store) {
      bool whole = true;
      for (const auto& [kind, expected] :
           {std::pair{Kind::service, &services_}, std::pair{Kind::instance, &instances_}}) {
        std::map<std::string, std::string> found;
        const auto read = (*store)->load(kind, [&found](std::string_view key, std::string_view document) {
          found.emplace(key, document);
          return Result<void>();
        });
        // What only the reading of it shows is refused then.
        if (!read) {
          EXPECT_THAT(read.error().message, HasSubstr("damaged")) << what;
          return 1;
        }
        whole = whole && found == *expected;
      }
      EXPECT_TRUE(whole) << what << ": opened with less than everything";
      return 0;
    }
    const auto& message = store.error().message;
    EXPECT_THAT(message, HasSubstr(settings_.path)) << what;
    EXPECT_THAT(message, AnyOf(HasSubstr("damaged"), HasSubstr("not a Gantry store"), HasSubstr("expected schema"),
                               HasSubstr("unsupported file format")))
        << what;
    EXPECT_EQ(bytes_of(settings_.path), bytes) << what << ": a refused store was changed";
    return 1;
  }

  std::string sound_;
  std::map<std::string, std::string> services_;
  std::map<std::string, std::string> instances_;
};

TEST_F(Damage, NamesAndNeverHidesADamagedPageHeader) {
  int refused = 0;
  std::size_t turn = 0;
  for (std::size_t at = 0; at < sound_.size(); at += page, ++turn) {
    // The first page begins with the file's own header; what overflows a page, with the number of the next.
    const auto begin = at == 0 ? 100 : at;
    const bool is_tree = std::string_view("\x02\x05\x0a\x0d").find(sound_[begin]) != std::string_view::npos;
    const std::size_t size = is_tree ? 12 : 4;
    const char byte = std::string_view("\x00\xff\x2a", 3)[turn % 3];
    auto bytes = sound_;
    bytes.replace(begin, size, std::string(size, byte));
    refused += tried(bytes, "page " + std::to_string(at / page + 1) + " overwritten");
  }
  EXPECT_GT(refused, 10);
}

TEST_F(Damage, NamesAndNeverHidesADamagedFileHeader) {
  for (std::size_t at = 0; at < 100; at += 2) {
    auto bytes = sound_;
    bytes.replace(at, 2, "\xa5\x5a");
    tried(bytes, "bytes " + std::to_string(at) + " and on overwritten");
  }
}

TEST_F(Damage, NamesAndNeverHidesATruncatedFile) {
  for (std::size_t pages = 1; pages * page < sound_.size(); ++pages) {
    for (const std::size_t more : {std::size_t{0}, std::size_t{513}}) {
      const auto size = (pages - 1) * page + more;
      if (size == 0) continue;  // an empty file is a new store
      EXPECT_EQ(tried(sound_.substr(0, size), "cut to " + std::to_string(size) + " bytes"), 1) << size;
    }
  }
}

TEST_F(Damage, RefusesAnEmptyFileBesideItsLogAndLeavesTheLogAlone) {
  const std::string log(5000, 'w');
  write_bytes(settings_.path, "");
  write_bytes(settings_.path + "-wal", log);
  EXPECT_THAT(refusal().message, AllOf(HasSubstr("damaged: it is empty"), HasSubstr(settings_.path + "-wal")));
  EXPECT_EQ(bytes_of(settings_.path + "-wal"), log);
}

}  // namespace
}  // namespace gantry::store
