// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "core/encoding/uuid.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

// Answers with a building instance for each uuid, which `settle` then turns into what it becomes.
void place_all(FakeDaemon& daemon, const std::function<json::object(json::object)>& settle) {
  daemon.on("schedule_run_instance", [](const json::object& args) -> Result<json::value> {
    json::array instances;
    for (const json::value& uuid : *json::find_array(*json::find_object(args, "request_spec"), "instance_uuids"))
      instances.emplace_back(
          json::object{{"uuid", uuid}, {"name", "web"}, {"vm_state", "building"}, {"host", "c1"}, {"fault", ""}});
    return json::value(json::object{{"instances", instances}});
  });
  daemon.on("show_instance", [settle](const json::object& args) -> Result<json::value> {
    return json::value(settle({{"uuid", *json::find(args, "instance")}, {"name", "web"}, {"host", "c1"}}));
  });
}

TEST(ServerCreate, MakesAUuidForEachInstanceAndWaitsUntilAllAreActive) {
  FakeDaemon daemon;
  int left = 3;
  place_all(daemon, [&left](json::object instance) {
    instance["vm_state"] = --left > 0 ? "building" : "active";
    return instance;
  });
  const Ran ran = run(daemon, {"-o", "value", "server", "create", "--count", "2", "web"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const json::object spec = *json::find_object(daemon.asked("schedule_run_instance").front().args, "request_spec");
  const json::array& uuids = *json::find_array(spec, "instance_uuids");
  ASSERT_EQ(uuids.size(), 2u);
  EXPECT_TRUE(parse_uuid(std::string(uuids[0].get_string())));
  EXPECT_NE(uuids[0], uuids[1]);
  EXPECT_EQ(json::find_string(*json::find_object(spec, "instance_properties"), "display_name"), "web");
  EXPECT_THAT(ran.out, HasSubstr("web\tACTIVE\tc1\t-\t" + std::string(uuids[0].get_string())));
}

TEST(ServerCreate, EndsWithThreeIfAnInstanceFoundNoHost) {
  FakeDaemon daemon;
  daemon.on("schedule_run_instance",
            R"({"instances":[{"uuid":"u1","name":"web-1","vm_state":"building","host":"c1"},)"
            R"({"uuid":"u2","name":"web-2","vm_state":"error","fault":"No valid host was found. Full."}]})");
  daemon.on("show_instance", R"({"uuid":"u1","name":"web-1","vm_state":"active","host":"c1"})");
  const Ran ran = run(daemon, {"server", "create", "--count", "2", "web"});
  EXPECT_EQ(ran.code, exit_code::no_valid_host);
  EXPECT_THAT(ran.out, HasSubstr("No valid host was found. Full."));
  EXPECT_EQ(daemon.asked("show_instance").size(), 1u) << "the one in error is settled";
}

TEST(ServerCreate, EndsWithOneIfAnInstanceFailsOnItsHost) {
  FakeDaemon daemon;
  place_all(daemon, [](json::object instance) {
    instance["vm_state"] = "error";
    instance["fault"] = "no space left";
    return instance;
  });
  const Ran ran = run(daemon, {"server", "create", "web"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.out, HasSubstr("no space left"));
}

TEST(ServerCreate, DoesNotAskAgainIfItIsNotToWait) {
  FakeDaemon daemon;
  place_all(daemon, [](json::object instance) { return instance; });
  EXPECT_EQ(run(daemon, {"server", "create", "--no-wait", "web"}).code, 0);
  EXPECT_TRUE(daemon.asked("show_instance").empty());
}

TEST(ServerCreate, GivesUpWaitingAndSaysHowToLookOn) {
  FakeDaemon daemon;
  place_all(daemon, [](json::object instance) {
    instance["vm_state"] = "building";
    return instance;
  });
  const Ran ran = run(daemon, {"server", "create", "--wait-timeout", "2", "web"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("not all instances were ready after 2 s"));
  EXPECT_THAT(ran.out, HasSubstr("BUILDING"));
}

TEST(ServerCreate, PassesTheContextOn) {
  FakeDaemon daemon;
  place_all(daemon, [](json::object instance) {
    instance["vm_state"] = "active";
    return instance;
  });
  run(daemon, {"server", "create", "--remote-address", "10.1.2.3", "--user", "u", "web"});
  EXPECT_EQ(json::write_canonical(daemon.asked("schedule_run_instance").front().context),
            R"({"remote_address":"10.1.2.3","user_id":"u"})");
}

TEST(ServerCreate, RefusesAnEmptyNameAndNoProcessorsBeforeItAsks) {
  FakeDaemon daemon;
  const Ran nameless = run(daemon, {"server", "create", ""});
  EXPECT_EQ(nameless.code, 2);
  EXPECT_THAT(nameless.err, testing::HasSubstr("NAME: expected a name, found an empty text"));
  const Ran sizeless = run(daemon, {"server", "create", "--vcpus", "0", "web"});
  EXPECT_EQ(sizeless.code, 2);
  EXPECT_THAT(sizeless.err, testing::HasSubstr("--vcpus"));
  EXPECT_EQ(daemon.asked_in_all(), 0u);
}

}  // namespace
}  // namespace gantry::cli::test
