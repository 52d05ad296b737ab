// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bundled_driver.hpp"

namespace gantry::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::fake_host;
using testing::fake_request;
using ::testing::HasSubstr;
using testing::host_row;
using ::testing::StartsWith;
using Table = std::map<std::string, std::string>;

class Ip : public ::testing::Test {
 protected:
  Ip() : host_({{"doc-1"}, {"doc-2"}, {"doc-3"}, {"ops-1"}, {"ops-2"}, {"dev-1"}, {"dev-2"}}) {
    host_.needs = {"host", "up", "disabled"};
  }

  std::unique_ptr<testing::fake_driver> create(const Table& prefixes, const Table& networks,
                                               const std::string& default_prefix = "dev") {
    host_.options.table("prefixes", prefixes).table("networks", networks).string("default_prefix", default_prefix);
    return host_.create(*bundled_driver("ip"));
  }
  std::unique_ptr<testing::fake_driver> create_with_defaults() {
    return create({{"10.1", "doc"}, {"10.2", "ops"}}, {});
  }

  testing::outcome select(testing::fake_driver& driver, const std::string& address) {
    host_.context.remote_address = address;
    fake_request request;
    request.instances = 20;
    return driver.select_destinations(request);
  }

  fake_host host_;
};

TEST_F(Ip, SendsEachAddressToTheHostsOfItsPrefix) {
  const auto driver = create_with_defaults();
  EXPECT_THAT(hosts_of(select(*driver, "10.1.0.5").picks), Each(StartsWith("doc")));
  EXPECT_THAT(hosts_of(select(*driver, "10.2.0.5").picks), Each(StartsWith("ops")));
  EXPECT_THAT(hosts_of(select(*driver, "192.168.0.5").picks), Each(StartsWith("dev")));
}

TEST_F(Ip, TakesAPrefixAsTextAsTheGuideDoes) {
  const auto driver = create_with_defaults();
  EXPECT_THAT(hosts_of(select(*driver, "10.100.0.5").picks), Each(StartsWith("doc")));
  EXPECT_THAT(hosts_of(select(*driver, "").picks), Each(StartsWith("dev")));
}

TEST_F(Ip, PrefersTheLongestPrefix) {
  const auto driver = create({{"10.1", "doc"}, {"10.1.2", "ops"}, {"1", "dev"}}, {});
  EXPECT_THAT(hosts_of(select(*driver, "10.1.2.5").picks), Each(StartsWith("ops")));
  EXPECT_THAT(hosts_of(select(*driver, "10.1.1.5").picks), Each(StartsWith("doc")));
  EXPECT_THAT(hosts_of(select(*driver, "11.1.1.5").picks), Each(StartsWith("dev")));
}

TEST_F(Ip, AsksNetworksBeforePrefixesAndPrefersTheLongest) {
  const auto driver = create({{"10.1", "doc"}}, {{"10.0.0.0/8", "ops"}, {"10.1.2.0/23", "dev"}}, "nobody");
  EXPECT_THAT(hosts_of(select(*driver, "10.1.3.255").picks), Each(StartsWith("dev")));
  EXPECT_THAT(hosts_of(select(*driver, "10.1.4.0").picks), Each(StartsWith("ops")));
  EXPECT_EQ(select(*driver, "11.1.4.0").code, GANTRY_NO_VALID_HOST);
}

TEST_F(Ip, KnowsNetworksOfIPv6) {
  const auto driver = create({}, {{"fd00:1::/32", "doc"}, {"::/0", "ops"}, {"10.0.0.0/8", "dev"}}, "nobody");
  EXPECT_THAT(hosts_of(select(*driver, "fd00:1:2::5").picks), Each(StartsWith("doc")));
  EXPECT_THAT(hosts_of(select(*driver, "fd00:2::5").picks), Each(StartsWith("ops")));
  EXPECT_THAT(hosts_of(select(*driver, "::ffff:10.0.0.1").picks), Each(StartsWith("dev")));
  EXPECT_EQ(select(*driver, "192.168.0.1").code, GANTRY_NO_VALID_HOST);
}

class IpNetwork : public Ip, public ::testing::WithParamInterface<const char*> {};

TEST_P(IpNetwork, RefusesToStartWithAnInvalidNetwork) {
  EXPECT_EQ(create({}, {{GetParam(), "doc"}}), nullptr);
  EXPECT_EQ(host_.refusal.code, GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(host_.refusal.sentence, HasSubstr("option 'networks': expected a network such as 10.1.0.0/16"));
  EXPECT_THAT(host_.refusal.sentence, HasSubstr("found '" + std::string(GetParam()) + "'"));
}

INSTANTIATE_TEST_SUITE_P(Bad, IpNetwork,
                         ::testing::Values("", "10.1", "10.1.0.0", "10.1.0.0/", "10.1.0.0/33", "10.1.0.0/-1",
                                           "10.1.0.5/16", "10.1.0.0/16 ", "fd00::/129", "fd00::1/64", "host/8",
                                           "10.1.0.0/1x"));

TEST_F(Ip, RefusesANetworkAmongThePrefixesAndSaysWhereItBelongs) {
  for (const char* const network : {"172.16.0.0/12", "10.1/", "fd00:1::/32"}) {
    host_.options = testing::fake_options();
    EXPECT_EQ(create({{"10.1", "doc"}, {network, "web"}}, {}), nullptr);
    EXPECT_EQ(host_.refusal.code, GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(host_.refusal.sentence,
              "option 'prefixes': expected the beginning of an address as text, such as 10.1, found the network '" +
                  std::string(network) + "'; name it in the option 'networks'");
  }
}

TEST_F(Ip, SaysWhereARequestWent) {
  host_.set_rows("compute", {{"doc-3"}, {"ops-1"}});
  const auto driver = create_with_defaults();
  host_.context.remote_address = "10.1.0.5";
  const auto outcome = driver->select_destinations({});
  ASSERT_EQ(outcome.logs.size(), 1u);
  EXPECT_EQ(outcome.logs[0].level, GANTRY_LOG_INFO);
  EXPECT_EQ(outcome.logs[0].message, "Request from 10.1.0.5 scheduled to doc-3");
}

TEST_F(Ip, SaysNothingBelowTheLogLevel) {
  const auto driver = create_with_defaults();
  host_.log_level = GANTRY_LOG_WARNING;
  EXPECT_THAT(driver->select_destinations({}).logs, ElementsAre());
}

TEST_F(Ip, AsksWhetherTheServiceRunsWhenNoHostIsUp) {
  for (host_row& row : host_.rows()) row.up = false;
  const auto driver = create_with_defaults();
  const auto outcome = driver->select_destinations({});
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "Is the appropriate service running? (up: the service is down or disabled)");
}

TEST_F(Ip, FindsNoOtherComputeWhenNoneHasThePrefix) {
  const auto driver = create({}, {}, "web");
  const auto outcome = driver->select_destinations({});
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_THAT(outcome.sentence, StartsWith("Could not find another compute (prefix: a request from '"));
  ASSERT_NE(outcome.step("prefix"), nullptr);
  EXPECT_EQ(outcome.step("prefix")->hosts_in, 7u);
  EXPECT_EQ(outcome.step("prefix")->hosts_out, 0u);
  EXPECT_THAT(outcome.step("prefix")->reason, HasSubstr("begins with 'web'"));
}

TEST_F(Ip, IgnoresTheHostsThatTheRequestIgnores) {
  const auto driver = create_with_defaults();
  fake_request request;
  request.instances = 20;
  request.ignore_hosts = {"dev-1"};
  EXPECT_THAT(hosts_of(driver->select_destinations(request).picks), Each("dev-2"));
}

TEST_F(Ip, ComparesPrefixesOfAnyLength) {
  host_.set_rows("compute", {{"r"}, {"rack"}, {"rack-0001"}, {"rack-0001-a"}, {"rack-0001-b-east"}, {"rack-0002-a"}});
  const std::map<std::string, std::vector<std::string>> expected = {
      {"rack-0001-", {"rack-0001-a", "rack-0001-b-east"}},
      {"rack-000", {"rack-0001", "rack-0001-a", "rack-0001-b-east", "rack-0002-a"}},
      {"rack", {"rack", "rack-0001", "rack-0001-a", "rack-0001-b-east", "rack-0002-a"}},
      {"", {"r", "rack", "rack-0001", "rack-0001-a", "rack-0001-b-east", "rack-0002-a"}},
      {"rack-0001-b-east", {"rack-0001-b-east"}}};
  for (const auto& [prefix, hosts] : expected) {
    host_.options = testing::fake_options();
    const auto driver = create({}, {}, prefix);
    fake_request request;
    request.alternates = 10;
    const auto outcome = driver->select_destinations(request);
    std::vector<std::string> found = hosts_of(outcome.alternates);
    found.push_back(outcome.picks.at(0).host);
    EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(hosts)) << prefix;
  }
}

TEST_F(Ip, SetsNoLimitsAndRefusesEachInstanceOnItsOwnInTheOlderFlow) {
  const auto driver = create_with_defaults();
  EXPECT_TRUE(std::isnan(driver->select_destinations({}).picks.at(0).limit_vcpu));
  fake_request request;
  request.instances = 2;
  request.ignore_hosts = {"dev-1", "dev-2"};
  const auto outcome = driver->schedule_run_instance(request);
  EXPECT_EQ(outcome.code, GANTRY_OK);
  ASSERT_EQ(outcome.refusals.size(), 2u);
  EXPECT_EQ(outcome.refusals[0].reason,
            "Could not find another compute (prefix: a request from '' wants a host whose name begins with 'dev')");
}

}  // namespace
}  // namespace gantry::tests
