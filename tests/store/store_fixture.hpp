// SPDX-License-Identifier: Apache-2.0
//
// A temporary directory for a store, and the few calls that every test of it makes.
#pragma once

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "core/store/sqlite_store.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::store {

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.path = (directory_ / "gantry.db").string();
    settings_.counters = std::make_shared<telemetry::Counters>();
  }

  std::unique_ptr<Store> opened() const {
    auto store = open_sqlite(settings_);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *std::move(store) : nullptr;
  }

  Error refusal() const {
    auto store = open_sqlite(settings_);
    EXPECT_FALSE(store) << "opened";
    return store ? Error{} : store.error();
  }

  static Result<void> committed(Store& store, Batch batch) {
    // Shared: the store's thread may still be inside set_value when this one goes on.
    const auto answer = std::make_shared<std::promise<Result<void>>>();
    store.submit(std::move(batch), [answer](Result<void> result) { answer->set_value(std::move(result)); });
    return answer->get_future().get();
  }

  static Batch put(std::string key, std::string document, Kind kind = Kind::service) {
    return {{kind, std::move(key), std::move(document)}};
  }
  static Batch removal(std::string key, Kind kind = Kind::service) { return {{kind, std::move(key), std::nullopt}}; }

  static std::map<std::string, std::string> loaded(Store& store, Kind kind = Kind::service) {
    std::map<std::string, std::string> documents;
    const auto result = store.load(kind, [&](std::string_view key, std::string_view document) {
      documents.emplace(key, document);
      return Result<void>();
    });
    EXPECT_TRUE(result) << result.error().message;
    return documents;
  }

  std::uint64_t counted(std::string_view name) const {
    for (const auto& entry : settings_.counters->list()) {
      if (entry.name == name) return entry.value;
    }
    return 0;
  }

  // Runs SQL on the file as another program would.
  void run_sql(const std::string& sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(settings_.path.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }

  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  const support::ScratchDirectory scratch_;
  const std::filesystem::path directory_ = scratch_.path();
  SqliteSettings settings_;
};

}  // namespace gantry::store
