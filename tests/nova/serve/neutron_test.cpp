// SPDX-License-Identifier: Apache-2.0
//
// Neutron's answers over real HTTP, and what the request filters are told of them.
#include "core/nova/serve/neutron.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "core/encoding/json.hpp"
#include "core/nova/request/failure.hpp"
#include "core/nova/serve/rpc_fault.hpp"
#include "tests/nova/http/scripted_server.hpp"

namespace gantry::nova {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScriptedServer;
using ::testing::StartsWith;

constexpr const char* with_segments = R"({"extensions":[{"alias":"router"},{"alias":"segment","name":"Segment"}]})";

// A server that has an answer for each target, and 404 for all others.
class Answers {
 public:
  void put(const std::string& target, int status, const std::string& body) {
    const std::lock_guard lock(mutex_);
    answers_[target] = ScriptedServer::answer(status, body);
  }
  std::string url() const { return server_.url(); }
  std::vector<std::string> requests() const { return server_.requests(); }
  // The targets of all requests, in their order.
  std::vector<std::string> targets() const {
    std::vector<std::string> targets;
    for (const auto& request : requests()) targets.push_back(target_of(request));
    return targets;
  }

 private:
  static std::string target_of(const std::string& request) {
    const auto begin = request.find(' ') + 1;
    return request.substr(begin, request.find(' ', begin) - begin);
  }
  ScriptedServer::Reply answer(const std::string& request) const {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(target_of(request));
    return {found == answers_.end() ? ScriptedServer::answer(404, "no such page") : found->second};
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::string> answers_;
  ScriptedServer server_{[this](const std::string& request) { return answer(request); }};
};

config::NovaServiceSettings settings_of(const std::string& url) {
  config::NovaServiceSettings settings;
  settings.auth_type = "none";
  settings.endpoint_override = url;
  return settings;
}

class NeutronTest : public ::testing::Test {
 protected:
  NeutronTest() {
    config::NovaSettings settings;
    settings.placement = settings_of(answers_of_placement.url());
    desk = *PlacementDesk::make(settings);
    neutron = *Neutron::make(settings_of(answers.url()), *desk);
    answers.put("/v2.0/extensions", 200, with_segments);
  }
  // The ways to ask, with the target of the question and the member that the answer needs.
  struct Question {
    std::string target;
    std::string member;
    std::function<Result<void>()> ask;
  };
  template <class Answer>
  static Result<void> without_value(const Result<Answer>& answer) {
    return answer ? Result<void>() : Result<void>(answer.error());
  }
  std::vector<Question> questions() const {
    return {{"/v2.0/ports/p1", "port", [this] { return without_value(neutron->port("p1")); }},
            {"/v2.0/subnets?network_id=n1&fields=segment_id", "subnets",
             [this] { return without_value(neutron->segments_of_network("n1")); }},
            {"/v2.0/subnets/s1", "subnet", [this] { return without_value(neutron->segment_of_subnet("s1")); }},
            {"/v2.0/extensions", "extensions", [this] { return without_value(neutron->segment_of_subnet("s1")); }}};
  }
  // Neutron could not be asked: the error names the question, and what came instead of an answer.
  static void expect_unavailable(const Question& question, const std::string& found) {
    const auto asked = question.ask();
    ASSERT_FALSE(asked) << question.target << " with " << found;
    EXPECT_EQ(asked.error().code, ErrorCode::unavailable) << asked.error().message;
    EXPECT_EQ(exception_of(asked.error()), "") << asked.error().message;
    EXPECT_THAT(asked.error().message, AllOf(StartsWith("Neutron, GET " + question.target + ": expected "),
                                             HasSubstr(", found "), HasSubstr(found)));
  }

  Answers answers;
  Answers answers_of_placement;
  std::unique_ptr<PlacementDesk> desk;
  std::unique_ptr<Neutron> neutron;
};

TEST_F(NeutronTest, IsNotThereWithoutALogin) {
  const auto none = Neutron::make({}, *desk);
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(*none, nullptr);
}

TEST_F(NeutronTest, ALoginThatCannotBeUsedNamesItsOption) {
  auto settings = settings_of("");
  const auto refused = Neutron::make(settings, *desk);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_configuration);
  EXPECT_THAT(refused.error().message, HasSubstr("[neutron] endpoint_override"));
}

TEST_F(NeutronTest, APortHasANetworkAndTheSubnetOfItsFirstAddress) {
  answers.put("/v2.0/ports/p1", 200, R"({"port":{"id":"p1","network_id":"n1","binding:vnic_type":"normal",
    "fixed_ips":[{"subnet_id":"s1","ip_address":"10.0.0.5"},{"subnet_id":"s2","ip_address":"10.1.0.5"}]}})");
  const auto port = neutron->port("p1");
  ASSERT_TRUE(port) << port.error().message;
  EXPECT_EQ(port->network_id, "n1");
  EXPECT_EQ(port->subnet_id, "s1");
  EXPECT_FALSE(port->is_remote_managed);
}

TEST_F(NeutronTest, APortMayHaveNoAddressYet) {
  for (const auto* addresses : {R"(,"fixed_ips":[])", R"(,"fixed_ips":null)", ""}) {
    answers.put("/v2.0/ports/p1", 200, R"({"port":{"network_id":"n1")" + std::string(addresses) + "}}");
    const auto port = neutron->port("p1");
    ASSERT_TRUE(port) << port.error().message;
    EXPECT_EQ(port->subnet_id, std::nullopt);
  }
}

TEST_F(NeutronTest, APortIsRemoteManagedByItsVnicType) {
  for (const auto& [type, is_remote_managed] :
       std::map<std::string, bool>{{R"("remote-managed")", true}, {R"("direct")", false}, {"null", false}}) {
    answers.put("/v2.0/ports/p1", 200, R"({"port":{"network_id":"n1","binding:vnic_type":)" + type + "}}");
    const auto port = neutron->port("p1");
    ASSERT_TRUE(port) << port.error().message;
    EXPECT_EQ(port->is_remote_managed, is_remote_managed) << type;
  }
}

TEST_F(NeutronTest, APortThatNeutronDoesNotKnowIsNovasPortNotFound) {
  answers.put("/v2.0/ports/p1", 404,
              R"({"NeutronError":{"type":"PortNotFound","message":"Port p1 could not be found.","detail":""}})");
  const auto port = neutron->port("p1");
  ASSERT_FALSE(port);
  EXPECT_EQ(exception_of(port.error()), "PortNotFound");
  const auto fault = rpc_fault(port.error());
  EXPECT_EQ(fault.message, "Port id p1 could not be found.");
  EXPECT_EQ(fault.kwargs, (json::object{{"port_id", "p1"}, {"code", 404}}));
}

TEST_F(NeutronTest, APageThatIsNotThereIsNoLostPort) {
  expect_unavailable(questions()[0], "status 404");
}

TEST_F(NeutronTest, WhatNeutronForbidsIsNovasForbidden) {
  for (const auto& question : questions()) {
    answers.put(question.target, 403, R"({"NeutronError":{"type":"PolicyNotAuthorized","message":"not for you"}})");
    const auto asked = question.ask();
    ASSERT_FALSE(asked) << question.target;
    EXPECT_EQ(exception_of(asked.error()), "Forbidden");
    EXPECT_EQ(asked.error().message,
              "Neutron, GET " + question.target + ": expected an answer 200, found status 403: not for you");
  }
}

TEST_F(NeutronTest, SegmentsOfANetworkAreThoseOfItsSubnets) {
  answers.put("/v2.0/subnets?network_id=n1&fields=segment_id", 200,
              R"({"subnets":[{"segment_id":"g1"},{"segment_id":null},{"segment_id":"g2"},{}]})");
  const auto segments = neutron->segments_of_network("n1");
  ASSERT_TRUE(segments) << segments.error().message;
  EXPECT_THAT(*segments, ElementsAre("g1", "g2"));
}

TEST_F(NeutronTest, ASubnetHasASegmentOrNone) {
  answers.put("/v2.0/subnets/s1", 200, R"({"subnet":{"id":"s1","segment_id":"g1"}})");
  answers.put("/v2.0/subnets/s2", 200, R"({"subnet":{"id":"s2","segment_id":null}})");
  EXPECT_EQ(*neutron->segment_of_subnet("s1"), "g1");
  EXPECT_EQ(*neutron->segment_of_subnet("s2"), std::nullopt);
}

TEST_F(NeutronTest, WithoutTheExtensionNothingHasSegments) {
  answers.put("/v2.0/extensions", 200, R"({"extensions":[{"alias":"router"},{"alias":"segments-peer"}]})");
  EXPECT_THAT(*neutron->segments_of_network("n1"), IsEmpty());
  EXPECT_EQ(*neutron->segment_of_subnet("s1"), std::nullopt);
  EXPECT_THAT(answers.targets(), ElementsAre("/v2.0/extensions", "/v2.0/extensions"));
}

TEST_F(NeutronTest, SubnetsThatNeutronRefusesToTellOfMakeTheNetworkUnusable) {
  for (const int status : {400, 404, 409, 500, 503}) {
    answers.put("/v2.0/subnets?network_id=n1&fields=segment_id", status, "{}");
    answers.put("/v2.0/subnets/s1", status, "{}");
    const auto of_network = neutron->segments_of_network("n1");
    ASSERT_FALSE(of_network) << status;
    EXPECT_EQ(exception_of(of_network.error()), "InvalidRoutedNetworkConfiguration");
    EXPECT_EQ(of_network.error().message, "Failed to get segment IDs for network n1");
    const auto of_subnet = neutron->segment_of_subnet("s1");
    ASSERT_FALSE(of_subnet) << status;
    EXPECT_EQ(exception_of(of_subnet.error()), "InvalidRoutedNetworkConfiguration");
    EXPECT_EQ(of_subnet.error().message, "Subnet s1 not found");
  }
}

TEST_F(NeutronTest, AFailureInFrontOfTheSubnetsSaysNothingOfTheNetwork) {
  const std::string body = R"({"NeutronError":{"type":"HTTPInternalServerError","message":"Request Failed"}})";
  for (const auto& question : questions()) {
    if (question.member.starts_with("subnet")) continue;
    answers.put(question.target, 500, body);
    expect_unavailable(question, "status 500: Request Failed");
  }
  answers.put("/v2.0/extensions", 404, "no such page");
  expect_unavailable(questions().back(), "status 404");
}

TEST_F(NeutronTest, ALoginThatIsRefusedSaysNothingOfTheNetwork) {
  for (const auto& question : questions()) {
    answers.put("/v2.0/extensions", 200, with_segments);
    answers.put(question.target, 401, "Authentication required");
    expect_unavailable(question, "status 401");
  }
}

TEST_F(NeutronTest, AnAnswerOfAnotherShapeIsNamed) {
  const std::map<std::string, std::string> bodies = {{"", "another body"},
                                                     {"<html>It works!</html>", "another body"},
                                                     {R"({"port":)", "another body"},
                                                     {"[]", "another body"},
                                                     {"null", "another body"},
                                                     {"\xff\xfe", "another body"},
                                                     {std::string(100'000, '['), "another body"},
                                                     {"{}", ", found none"}};
  for (const auto& question : questions()) {
    for (const auto& [body, found] : bodies) {
      answers.put("/v2.0/extensions", 200, with_segments);
      answers.put(question.target, 200, body);
      expect_unavailable(question, found);
    }
    for (const auto& [value, found] :
         std::map<std::string, std::string>{{"null", "null"}, {"7", "number"}, {R"("text")", "string"}}) {
      answers.put(question.target, 200, R"({")" + question.member + R"(":)" + value + "}");
      expect_unavailable(question, found);
    }
  }
}

TEST_F(NeutronTest, APortOfAnotherShapeIsNamed) {
  const auto question = questions()[0];
  for (const auto& [port, words] : std::map<std::string, std::string>{
           {R"({})", "expected a port with network_id, found none"},
           {R"({"network_id":""})", "expected a port with network_id, found none"},
           {R"({"network_id":7})", "expected an object with network_id as text, found number"},
           {R"({"network_id":"n1","fixed_ips":{}})", "expected fixed_ips as a list, found object"},
           {R"({"network_id":"n1","fixed_ips":["s1"]})", "expected an object with subnet_id as text, found string"},
           {R"({"network_id":"n1","fixed_ips":[{}]})", "expected a fixed address with subnet_id, found none"},
           {R"({"network_id":"n1","fixed_ips":[{"subnet_id":[]}]})",
            "expected an object with subnet_id as text, found array"}}) {
    answers.put(question.target, 200, R"({"port":)" + port + "}");
    expect_unavailable(question, words);
  }
}

TEST_F(NeutronTest, ASegmentOfAnotherShapeIsNamed) {
  const auto all = questions();
  answers.put(all[1].target, 200, R"({"subnets":[{"segment_id":"g1"},{"segment_id":7}]})");
  expect_unavailable(all[1], "expected an object with segment_id as text, found number");
  answers.put(all[1].target, 200, R"({"subnets":["g1"]})");
  expect_unavailable(all[1], "expected an object with segment_id as text, found string");
  answers.put(all[2].target, 200, R"({"subnet":{"segment_id":["g1"]}})");
  expect_unavailable(all[2], "expected an object with segment_id as text, found array");
}

TEST_F(NeutronTest, ThatIsAwayIsNamedWithItsPlace) {
  std::string url;
  {
    const Answers ended;
    url = ended.url();
  }
  neutron = *Neutron::make(settings_of(url), *desk);
  auto all = questions();
  for (auto& question : all) {
    // The extensions are asked for first.
    if (question.member.starts_with("subnet")) question.target = "/v2.0/extensions";
    expect_unavailable(question, "none: no connection to " + url.substr(7));
  }
}

TEST_F(NeutronTest, ThatKeepsSilentIsWaitedForAsLongAsItsTimeoutSays) {
  ScriptedServer silent([](const std::string&) { return ScriptedServer::Reply{.hangs = true}; });
  auto settings = settings_of(silent.url());
  settings.timeout = std::chrono::seconds(1);
  neutron = *Neutron::make(settings, *desk);
  const auto begun = Clock::now();
  expect_unavailable(questions()[0], "found none: ");
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(30));
}

TEST_F(NeutronTest, OddNamesArePercentEncoded) {
  static_cast<void>(neutron->port("a b/../c?d=e&f#%\r\nHost: \xc3\xa9"));
  static_cast<void>(neutron->segments_of_network("n1&fields=id"));
  static_cast<void>(neutron->segment_of_subnet(".."));
  static_cast<void>(neutron->aggregates_of_segment("g/1"));
  EXPECT_THAT(answers.targets(),
              ElementsAre("/v2.0/ports/a%20b%2F%2E%2E%2Fc%3Fd%3De%26f%23%25%0D%0AHost%3A%20%C3%A9", "/v2.0/extensions",
                          "/v2.0/subnets?network_id=n1%26fields%3Did&fields=segment_id", "/v2.0/extensions",
                          "/v2.0/subnets/%2E%2E"));
  EXPECT_THAT(answers_of_placement.targets(), ElementsAre("/resource_providers/g%2F1/aggregates"));
}

TEST_F(NeutronTest, IsAskedBelowThePathOfItsEndpointWithAToken) {
  neutron = *Neutron::make(settings_of(answers.url() + "/network/"), *desk);
  answers.put("/network/v2.0/ports/p1", 200, R"({"port":{"network_id":"n1"}})");
  EXPECT_TRUE(neutron->port("p1"));
  ASSERT_EQ(answers.requests().size(), 1U);
  EXPECT_THAT(answers.requests()[0], HasSubstr("X-Auth-Token: "));
}

TEST_F(NeutronTest, AggregatesOfASegmentAreThoseOfItsProvider) {
  answers_of_placement.put("/resource_providers/g1/aggregates", 200,
                           R"({"aggregates":["a1","a2"],"resource_provider_generation":3})");
  answers_of_placement.put("/resource_providers/g2/aggregates", 200, R"({"aggregates":[]})");
  EXPECT_THAT(*neutron->aggregates_of_segment("g1"), ElementsAre("a1", "a2"));
  EXPECT_THAT(*neutron->aggregates_of_segment("g2"), IsEmpty());
}

TEST_F(NeutronTest, ASegmentThatPlacementRefusesToTellOfFailsAsInNova) {
  answers_of_placement.put("/resource_providers/g2/aggregates", 500, "");
  for (const std::string segment : {"g1", "g2"}) {
    const auto aggregates = neutron->aggregates_of_segment(segment);
    ASSERT_FALSE(aggregates);
    const auto fault = rpc_fault(aggregates.error());
    EXPECT_EQ(fault.class_name, "ResourceProviderAggregateRetrievalFailed");
    EXPECT_EQ(fault.message, "Failed to get aggregates for resource provider with UUID " + segment);
    EXPECT_EQ(fault.kwargs, (json::object{{"uuid", segment}, {"code", 500}}));
  }
}

TEST_F(NeutronTest, AggregatesOfAnotherShapeAreNamed) {
  for (const std::string body : {"", "[]", "{}", R"({"aggregates":"a1"})", R"({"aggregates":[7]})"}) {
    answers_of_placement.put("/resource_providers/g1/aggregates", 200, body);
    const auto aggregates = neutron->aggregates_of_segment("g1");
    ASSERT_FALSE(aggregates) << body;
    EXPECT_EQ(aggregates.error().code, ErrorCode::unavailable);
    EXPECT_THAT(aggregates.error().message, EndsWith("of g1"));
  }
}

}  // namespace
}  // namespace gantry::nova
