// SPDX-License-Identifier: Apache-2.0
//
// A sound database in which one document makes no sense: the start is refused, and says where it stands.
#include <gmock/gmock.h>

#include "core/store/sqlite_schema.hpp"
#include "service.hpp"

namespace gantry::fault {
namespace {

using store::Kind;
using testing::HasSubstr;

class UnreadableDocument : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(service.start());
    ASSERT_TRUE(service.call("service_register", R"({"topic":"compute","host":"a"})"));
    ASSERT_TRUE(service.call("update_resource_stats", report("a")));
    ASSERT_TRUE(
        service.call("update_service_capabilities", R"({"service_name":"volume","host":"a","capabilities":{"x":1}})"));
    ASSERT_TRUE(service.call("create_aggregate", R"({"name":"rack"})"));
    ASSERT_TRUE(service.call("create_group", R"({"name":"g","policy":"affinity"})"));
    ASSERT_TRUE(service.call("schedule_run_instance", launch({1}), "key"));
    service.stop();
  }
  void replace_by(const std::string& document) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(service.settings.path.c_str(), &handle), SQLITE_OK);
    const auto sql = std::string("UPDATE ") + store::table_of(GetParam()) + " SET document = '" + document + "'";
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_changes(handle), 1);
    sqlite3_close(handle);
  }
  std::string key() const {
    for (const auto& submitted : service.submitted()) {
      for (const auto& change : submitted.batch) {
        if (change.kind == GetParam()) return change.key;
      }
    }
    return "no such document";
  }

  Service service;
};

TEST_P(UnreadableDocument, IsNamedByTableAndKey) {
  const auto where = std::string(": ") + store::table_of(GetParam()) + " '" + key() + "': ";
  for (const auto* document : {"", "{", "[]", "7", "{}", R"({"host":7})", R"({"uuid":"x","id":"x","topic":"t"})"}) {
    replace_by(document);
    const auto started = service.start();
    ASSERT_FALSE(started) << document;
    EXPECT_THAT(started.error().message, HasSubstr(service.settings.path)) << document;
    EXPECT_THAT(started.error().message, HasSubstr(where)) << document;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, UnreadableDocument,
                         testing::Values(Kind::service, Kind::compute_node, Kind::capabilities, Kind::aggregate,
                                         Kind::group, Kind::instance, Kind::claim, Kind::cast, Kind::idempotency));

}  // namespace
}  // namespace gantry::fault
