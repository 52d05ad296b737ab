// SPDX-License-Identifier: Apache-2.0
//
// The answers to a conductor, and the allocations in placement.
#include <set>
#include <string>

#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

// Whether Gantry computes the candidates, or asks placement.
class ServesRequests : public ServedNova, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    ServedNova::SetUp();
    mirrors_ = GetParam();
  }

  // The members of a request that Nova's rebuild sets, with another image, for an instance on this host.
  static json::object rebuild_on(const std::string& host) {
    return {{"force_hosts", json::array{host}},
            {"force_nodes", json::array{host}},
            {"scheduler_hints", {{"_nova_check_type", json::array{"rebuild"}}}}};
  }
  // Asks as Nova's rebuild does, which also takes the id away that the request has in the database.
  Heard rebuild(const std::string& uuid, const std::string& host) {
    auto request = request_for({uuid}, rebuild_on(host));
    request.at("args").at("spec_obj").at("nova_object.data").as_object().erase("id");
    return call(std::move(request));
  }
  // How many requests with the hint of a rebuild had this outcome.
  std::int64_t count_of(std::string_view label) {
    const auto status = answer("status");
    for (const auto& counter : status.at("counters").as_array()) {
      if (counter.at("name") == "nova_rebuild_hints" && counter.at("label") == json::value(label))
        return counter.at("value").to_number<std::int64_t>();
    }
    return 0;
  }
};

INSTANTIATE_TEST_SUITE_P(Candidates, ServesRequests, ::testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "computed" : "asked"; });

TEST_P(ServesRequests, GivesAServerAHostAndItsAllocation) {
  serve();
  const auto uuid = next_uuid();
  const auto heard = select({uuid});
  ASSERT_THAT(hosts_of(heard), ElementsAre("h1"));
  const auto& choices = heard.at("result").as_array().at(0).as_array();
  ASSERT_THAT(choices, SizeIs(3)) << "two alternates";
  for (std::size_t i = 0; i < choices.size(); ++i) {
    EXPECT_EQ(choices[i].at("nova_object.name"), "Selection");
    const auto& selection = choices[i].at("nova_object.data");
    const auto host = "h" + std::to_string(i + 1);
    const auto provider = uuid_of_host(host);
    EXPECT_EQ(selection.at("service_host"), json::value(host));
    EXPECT_EQ(selection.at("nodename"), json::value(host));
    EXPECT_EQ(selection.at("compute_node_uuid"), json::value(provider));
    EXPECT_EQ(selection.at("cell_uuid"), "c1111111-0000-4000-8000-000000000000");
    EXPECT_EQ(selection.at("availability_zone"), "nova");
    EXPECT_EQ(selection.at("allocation_request_version"), "1.36");
    const auto claim = *json::parse_object(selection.at("allocation_request").as_string());
    EXPECT_EQ(claim.at("mappings"), json::value(json::object{{"", json::array{provider}}}));
    EXPECT_EQ(claim.at("allocations").at(provider).at("resources"),
              json::value(json::object{{"VCPU", 1}, {"MEMORY_MB", 512}, {"DISK_GB", 1}}));
  }
  const auto body = *json::parse_object(ask_placement("GET", "/allocations/" + uuid).body);
  EXPECT_EQ(body.at("allocations").at(uuid_of_host("h1")).at("resources"),
            json::value(json::object{{"VCPU", 1}, {"MEMORY_MB", 512}, {"DISK_GB", 1}}));
  EXPECT_EQ(body.at("project_id"), "d074f5aaadb44f66a9f9af26007315f9") << "the request's, not the caller's";
  EXPECT_EQ(body.at("user_id"), "a1b7170fae044970a283f2d63326cb76");
}

json::object with_virtio_sound(json::object flavor) {
  flavor.at("nova_object.data").as_object()["extra_specs"] = json::object{{"hw:sound_model", "virtio"}};
  return {{"flavor", std::move(flavor)}};
}

// No host of the deployment has the trait COMPUTE_SOUND_MODEL_VIRTIO, which releases from Flamingo on ask for.
TEST_P(ServesRequests, AsksPlacementAsTheConfiguredReleaseDoes) {
  in_cell("UPDATE services SET version = 70");
  serve("[driver.filter]\ncompatibility = \"flamingo\"\n");
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h1"));
  EXPECT_THAT(hosts_of(select({next_uuid()}, with_virtio_sound(flavor(1)))),
              ElementsAre("NoValidHost: No valid host was found. "));
}

TEST_P(ServesRequests, AsksPlacementAsZedDoesWhereZedIsConfigured) {
  serve("[driver.filter]\ncompatibility = \"zed\"\n");
  EXPECT_THAT(hosts_of(select({next_uuid()}, with_virtio_sound(flavor(1)))), ElementsAre("h1"));
}

TEST_P(ServesRequests, AsksPlacementAsTheNewestReleaseDoesByDefault) {
  in_cell("UPDATE services SET version = 72");
  serve("[driver.filter]\n");
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h1"));
  EXPECT_THAT(hosts_of(select({next_uuid()}, with_virtio_sound(flavor(1)))),
              ElementsAre("NoValidHost: No valid host was found. "));
}

TEST_P(ServesRequests, SaysNoValidHostInNovasWords) {
  serve();
  const auto uuid = next_uuid();
  const auto none = select({uuid}, {{"flavor", flavor(9)}});
  EXPECT_THAT(hosts_of(none), ElementsAre("NoValidHost: No valid host was found. "));
  EXPECT_EQ(none.at("failure").at("module"), "nova.exception_Remote");
  EXPECT_THAT(hosts_of(select({uuid}, {{"force_hosts", json::array{"nowhere"}}})),
              ElementsAre("NoValidHost: No valid host was found. No such host - host: nowhere node: None "));
  in_cell("UPDATE services SET disabled = 1");
  EXPECT_THAT(hosts_of(select({uuid})),
              ElementsAre("NoValidHost: No valid host was found. There are not enough hosts available."));
  EXPECT_THAT(held(uuid), IsEmpty());
  const auto record = answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_EQ(record.at("outcome"), "no_valid_host");
  EXPECT_THAT(json::write(record.at("steps")), HasSubstr("ComputeFilter"));
}

TEST_P(ServesRequests, PlacesOnTheHostThatIsForced) {
  serve();
  const auto uuid = next_uuid();
  EXPECT_THAT(hosts_of(select({uuid}, {{"force_hosts", json::array{"h3"}}})), ElementsAre("h3"));
  EXPECT_THAT(held(uuid), SizeIs(1));
  EXPECT_TRUE(held(uuid).contains("h3"));
}

TEST_P(ServesRequests, PassesOverADisabledCellUnlessTheServerMustStayThere) {
  in_api("UPDATE cell_mappings SET disabled = 1 WHERE name = 'cell1'");
  serve();
  const auto uuid = next_uuid();
  const std::string words = "NoValidHost: No valid host was found. There are not enough hosts available.";
  EXPECT_THAT(hosts_of(select({uuid})), ElementsAre(words));
  EXPECT_THAT(hosts_of(select({uuid}, {{"force_hosts", json::array{"h2"}}})), ElementsAre(words));
  const auto record = answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_THAT(json::write(record.at("steps")), HasSubstr("a cell that is disabled"));
  const json::object cell{{"uuid", "c1111111-0000-4000-8000-000000000000"}};
  EXPECT_THAT(hosts_of(select({uuid}, {{"requested_destination", {{"cell", cell}}}})), ElementsAre("h1"));
  EXPECT_THAT(hosts_of(rebuild(next_uuid(), "h1")), ElementsAre(words));
}

TEST_P(ServesRequests, ClaimsWhatAnyDriverPicks) {
  serve("", "simple");
  occupy("h1", 8);
  occupy("h3", 8);
  const auto uuid = next_uuid();
  const auto heard = select({uuid});
  ASSERT_THAT(hosts_of(heard), ElementsAre("h2"));
  EXPECT_EQ(heard.at("result").as_array().at(0).at(0).at("nova_object.data").at("cell_uuid"),
            "c1111111-0000-4000-8000-000000000000");
  EXPECT_TRUE(held(uuid).contains("h2"));
}

TEST_P(ServesRequests, LetsAnInstanceThatMovesHoldBothHosts) {
  serve();
  const auto uuid = next_uuid();
  ASSERT_THAT(hosts_of(select({uuid})), ElementsAre("h1"));
  EXPECT_THAT(hosts_of(select({uuid}, {{"ignore_hosts", json::array{"h1"}}})), ElementsAre("h2"));
  EXPECT_THAT(held(uuid), SizeIs(2));
}

TEST_P(ServesRequests, ClaimsNothingForARebuild) {
  serve();
  const auto uuid = next_uuid();
  occupy("h2", 8);
  const auto heard = rebuild(uuid, "h2");
  ASSERT_THAT(hosts_of(heard), ElementsAre("h2")) << "the instance has its room already";
  const auto& selection = heard.at("result").as_array().at(0).at(0).at("nova_object.data");
  EXPECT_EQ(selection.at("allocation_request"), "null");
  EXPECT_TRUE(selection.at("allocation_request_version").is_null());
  EXPECT_THAT(held(uuid), IsEmpty());
  EXPECT_EQ(count_of("honoured"), 1);
}

TEST_P(ServesRequests, PassesOverTheHintOfARebuildThatNovaDidNotSend) {
  serve();
  occupy("h1", 8);
  in_cell("UPDATE services SET disabled = 1 WHERE host = 'h2'");
  const json::object hint{{"_nova_check_type", json::array{"rebuild"}}};
  const auto uuid = next_uuid();
  EXPECT_THAT(hosts_of(select({uuid}, {{"scheduler_hints", hint}})), ElementsAre("h3"))
      << "h1 has no room, h2 is disabled";
  EXPECT_TRUE(held(uuid).contains("h3"));
  const std::vector<json::object> incomplete{
      {{"force_hosts", json::array{"h1"}}},
      {{"force_nodes", json::array{"h1"}}},
      {{"force_hosts", json::array{"h1", "h1"}}, {"force_nodes", json::array{"h1"}}}};
  for (auto changes : incomplete) {
    changes["scheduler_hints"] = hint;
    EXPECT_THAT(hosts_of(select({next_uuid()}, changes)), ElementsAre(StartsWith("NoValidHost: ")))
        << json::write(changes);
  }
  EXPECT_THAT(hosts_of(select({next_uuid()}, rebuild_on("h1"))), ElementsAre(StartsWith("NoValidHost: ")))
      << "of a user who may name host and node";
  EXPECT_EQ(count_of("passed_over"), 5);
  EXPECT_EQ(count_of("honoured"), 0);
  EXPECT_THAT(gantry.log(), HasSubstr("reason=\"expected no id, as Nova's rebuild has none, found 2\""));
  EXPECT_THAT(gantry.log(),
              HasSubstr("project=d074f5aaadb44f66a9f9af26007315f9 instance=" + uuid +
                        " reason=\"expected one name in force_hosts, as Nova's rebuild has it, found 0\""));
}

TEST_P(ServesRequests, RefusesTheHintOfARebuildIfToldTo) {
  serve("rebuild_hint = \"refuse\"\n");
  const auto uuid = next_uuid();
  EXPECT_THAT(hosts_of(rebuild(uuid, "h2")),
              ElementsAre("NoValidHost: No valid host was found. The hint _nova_check_type is refused."));
  EXPECT_THAT(held(uuid), IsEmpty());
  EXPECT_EQ(count_of("refused"), 1);
  EXPECT_THAT(gantry.log(), HasSubstr("instance=" + uuid + " reason=\"nova.rebuild_hint is"));
  EXPECT_THAT(hosts_of(select({uuid})), ElementsAre("h1")) << "without the hint";
}

using AsksForCandidates = ServedNova;

TEST_F(AsksForCandidates, AndGoesOnWithTheNextHostWherePlacementRefusesTheClaim) {
  serve("candidates_reuse = 50\n");
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h1"));
  occupy("h1", 7);
  const auto uuid = next_uuid();
  EXPECT_THAT(hosts_of(select({uuid})), ElementsAre("h2"));
  EXPECT_TRUE(held(uuid).contains("h2"));
  const auto record = answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_EQ(record.at("outcome"), "placed");
  const auto& claims = record.at("claims").as_array();
  ASSERT_THAT(claims, SizeIs(2)) << json::write(record);
  EXPECT_EQ(claims[0].at("outcome"), "refused");
  EXPECT_THAT(std::string(claims[0].at("reason").as_string()), HasSubstr("Unable to allocate inventory"));
  EXPECT_EQ(claims[1].at("outcome"), "held");
  const auto kept = answer("show_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_EQ(kept.at("facts").at("known"), true) << json::write(kept.at("facts"));
  EXPECT_EQ(kept.at("claims_lost").at(0).at("host"), "h1");
  // The candidates of old are no ground for a refusal, and none for a host that is free again.
  occupy("h2", 7);
  occupy("h3", 8);
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("NoValidHost: No valid host was found. "));
}

TEST_P(ServesRequests, PlacesSeveralInstancesAllOrNone) {
  serve();
  std::vector<std::string> uuids;
  for (int i = 0; i < 6; ++i) uuids.push_back(next_uuid());
  auto more = uuids;
  more.push_back(next_uuid());
  const json::object changes{{"flavor", flavor(4)}};
  EXPECT_THAT(hosts_of(select(more, changes)),
              ElementsAre("NoValidHost: No valid host was found. There are not enough hosts available."));
  for (const auto& uuid : more) EXPECT_THAT(held(uuid), IsEmpty());
  const auto hosts = hosts_of(select(uuids, changes));
  EXPECT_THAT(hosts, UnorderedElementsAre("h1", "h1", "h2", "h2", "h3", "h3"));
  for (std::size_t i = 0; i < hosts.size(); ++i) EXPECT_TRUE(held(uuids[i]).contains(hosts[i]));
}

TEST_P(ServesRequests, SeesAFactThatChangedJustBeforeTheRequest) {
  serve();
  in_cell("UPDATE services SET disabled = 1 WHERE host = 'h1'");
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h2"));
  in_cell("UPDATE services SET disabled = 0, forced_down = 1 WHERE host = 'h2'");
  in_cell("UPDATE services SET disabled = 0 WHERE host = 'h1'");
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h1"));
  in_cell("UPDATE services SET forced_down = 0");
  in_cell("UPDATE compute_nodes SET free_ram_mb = 9900, updated_at = UTC_TIMESTAMP() WHERE host = 'h3'");
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h3"));
}

TEST_P(ServesRequests, CountsWhereTheTimeGoes) {
  serve();
  select({next_uuid()});
  const auto counted = [this] {
    std::set<std::string> parts;
    const auto status = answer("status");
    for (const auto& counter : status.at("counters").as_array())
      if (counter.at("name") == "nova_request_microseconds") parts.emplace(counter.at("label").as_string());
    return parts == std::set<std::string>{"answer", "candidates", "claim", "decision", "facts", "journal", "whole"};
  };
  EXPECT_TRUE(test::eventually(counted));
}

TEST_P(ServesRequests, TakesCastsAtOnce) {
  serve();
  const json::object aggregate{{"nova_object.name", "Aggregate"},
                               {"nova_object.namespace", "nova"},
                               {"nova_object.version", "1.3"},
                               {"nova_object.data",
                                {{"id", 7},
                                 {"uuid", next_uuid()},
                                 {"name", "fast"},
                                 {"hosts", json::array{"h2"}},
                                 {"metadata", {{"availability_zone", "z1"}}}}}};
  call({{"method", "update_aggregates"},
        {"version", "4.1"},
        {"cast", true},
        {"args", {{"aggregates", json::array{aggregate}}}}});
  const auto counted = [this] {
    const auto status = answer("status");
    for (const auto& counter : status.at("counters").as_array())
      if (counter.at("name") == "nova_casts" && counter.at("label") == "update_aggregates") return true;
    return false;
  };
  EXPECT_TRUE(test::eventually(counted));
  EXPECT_THAT(gantry.log(), Not(HasSubstr("a cast was not taken")));
}

}  // namespace
}  // namespace gantry::nova
