// SPDX-License-Identifier: Apache-2.0
//
// Real files of deployments hold more than plain options: parameters of URLs, empty values, misplaced options.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class OddDeployment : public testing::Test {
 protected:
  struct Urls {
    std::string transport = "rabbit://nova:hushed@h/";
    std::string database = "mysql+pymysql://nova:hushed@h/nova";
    std::string api_database = "mysql+pymysql://nova:hushed@h/nova_api";
  };
  Result<Loaded> read(const Urls& urls, const std::string& more = "", const std::string& release = "zed") const {
    const auto file =
        scratch_.write("nova.conf",
                       "[DEFAULT]\ntransport_url = " + urls.transport + "\n[database]\nconnection = " + urls.database +
                           "\n[api_database]\nconnection = " + urls.api_database +
                           "\n[placement]\nauth_type = none\nendpoint_override = http://h/\n" + more,
                       0640);
    auto sources = scratch_.sources();
    sources.overrides = {"nova.config_files=['" + file + "']", "driver.filter.compatibility='" + release + "'"};
    return load(sources);
  }
  Loaded loaded(const Urls& urls, const std::string& more = "", const std::string& release = "zed") const {
    auto result = read(urls, more, release);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *std::move(result) : Loaded{};
  }
  std::string refusal(const Urls& urls, const std::string& more = "") const {
    const auto result = read(urls, more);
    return result ? "loaded" : result.error().message;
  }

  Scratch scratch_;
};

TEST_F(OddDeployment, LetsOptionsOfTheTransportUrlOverruleThoseOfTheSection) {
  const auto rabbit =
      loaded({.transport = "rabbit://u:p@h1,u:p@[::1]:5671/v?ssl=1&ssl_ca_file=%2Fca.pem&heartbeat_timeout_threshold=7&"
                           "rabbit_quorum_queue=True&amqp_auto_delete=off&ssl_version=TLSv1_2&kombu_compression=gzip"},
             "[oslo_messaging_rabbit]\namqp_auto_delete = true\nssl_ca_file = /other\n")
          .settings.nova.rabbit;
  EXPECT_TRUE(rabbit.ssl && rabbit.rabbit_quorum_queue);
  EXPECT_FALSE(rabbit.amqp_auto_delete);
  EXPECT_EQ(rabbit.ssl_ca_file, "/ca.pem");
  EXPECT_EQ(rabbit.heartbeat_timeout_threshold, 7);
}

TEST_F(OddDeployment, RefusesParametersOfUrlsThatNobodyKnows) {
  EXPECT_THAT(refusal({.transport = "rabbit://u:hushed@h/?ssl_ca_fil=/ca"}),
              AllOf(HasSubstr("nova.conf:2: key '[DEFAULT] transport_url': parameter 'ssl_ca_fil'"),
                    HasSubstr("did you mean ssl_ca_file?"), Not(HasSubstr("hushed"))));
  EXPECT_THAT(refusal({.transport = "rabbit://u:hushed@h/?rabbit_transient_queues_ttl=soon"}),
              HasSubstr("parameter 'rabbit_transient_queues_ttl': expected a whole number, found \"soon\""));
  EXPECT_THAT(refusal({.transport = "rabbit://u:hushed@h:70000/"}), HasSubstr("a port from 1 to 65535"));
  EXPECT_THAT(refusal({.database = "mysql+pymysql://nova:hushed@h/nova?no_such_parameter=1"}),
              AllOf(HasSubstr("nova.conf:4: key '[database] connection': database URL: parameter 'no_such_parameter'"),
                    Not(HasSubstr("hushed"))));
  EXPECT_THAT(refusal({.api_database = "mysql+pymysql://nova:hushed@h:x/nova_api"}),
              HasSubstr("nova.conf:6: key '[api_database] connection': database URL: port"));
}

TEST_F(OddDeployment, WarnsOfParametersThatGantryDoesNotFollow) {
  EXPECT_THAT(
      loaded({.database = "mysql+pymysql://nova:hushed@h/nova?charset=utf8&plugin=dbcounter"}).warnings,
      ElementsAre(AllOf(HasSubstr("nova.conf:4: key '[database] connection': 'plugin' of the URL is passed over"),
                        Not(HasSubstr("hushed")))));
}

TEST_F(OddDeployment, AddsConnectionParametersToTheUrl) {
  const std::string more =
      "[database]\nconnection_parameters = charset=utf8&read_timeout=9\n[api_database]\nconnection_parameters = a=1\n";
  EXPECT_EQ(loaded({.api_database = "mysql://h/nova_api?charset=utf8"},
                   "[database]\nconnection_parameters = charset=utf8&read_timeout=9\n[api_database]\n"
                   "connection_parameters = ssl_ca=/ca\n")
                .settings.nova.api_database_connection,
            "mysql://h/nova_api?charset=utf8&ssl_ca=/ca");
  EXPECT_THAT(refusal({}, more), HasSubstr("'[api_database] connection': database URL: parameter 'a'"));
}

TEST_F(OddDeployment, TakesAnEmptyNumberForNone) {
  const auto all = loaded({},
                          "[scheduler]\nmax_placement_results =\ndiscover_hosts_in_cells_interval = ''\n"
                          "max_attempts =\n[DEFAULT]\ncpu_allocation_ratio =\n");
  EXPECT_EQ(all.settings.nova.max_placement_results, std::nullopt);
  EXPECT_EQ(all.settings.nova.discover_hosts_in_cells_interval, -1);
  EXPECT_EQ(all.settings.scheduling.max_attempts, 3U);
  EXPECT_THAT(all.warnings, ElementsAre(AllOf(HasSubstr("'[scheduler] discover_hosts_in_cells_interval': it is empty"),
                                              HasSubstr("-1 holds"))));
}

TEST_F(OddDeployment, WarnsOfOptionsThatNoNovaReadsWhereTheyStand) {
  const auto warnings = loaded({},
                               "[scheduler]\nmax_atempts = 9\n[filter_scheduler]\nsite_rack_weight = 2.0\n"
                               "[filter-scheduler]\ncpu_weight_multiplier = 2\n[oslo_messaging_rabit]\nssl = true\n")
                            .warnings;
  EXPECT_THAT(warnings,
              Contains(HasSubstr("'[scheduler] max_atempts': no such scheduler option of Nova's is known; did "
                                 "you mean max_attempts?")));
  EXPECT_THAT(warnings, Contains(HasSubstr("'[filter_scheduler] site_rack_weight': no such scheduler option")));
  EXPECT_THAT(warnings, Contains(AllOf(HasSubstr("'[filter-scheduler] cpu_weight_multiplier'"),
                                       HasSubstr("did you mean [filter_scheduler]?"))));
  EXPECT_THAT(warnings, Contains(AllOf(HasSubstr("'[oslo_messaging_rabit] ssl'"),
                                       HasSubstr("did you mean [oslo_messaging_rabbit]?"))));
}

TEST_F(OddDeployment, LetsValuesThatTheReleaseDoesNotReadHurtNobody) {
  const std::string more =
      "[DEFAULT]\nram_weight_multiplier = 1,5\n[scheduler]\nquery_placement_for_availability_zone = x\n";
  EXPECT_THAT(refusal({}, more), HasSubstr("query_placement_for_availability_zone"));
  const auto all = loaded({}, more, "bobcat");
  EXPECT_THAT(all.warnings, Contains(HasSubstr("'[DEFAULT] ram_weight_multiplier': Nova does not read it")));
}

TEST_F(OddDeployment, MayNameItsReleaseByTheYear) {
  const auto settings = loaded({}, "", "2024.2").settings;
  EXPECT_EQ(settings.nova.release, "dalmatian");
  EXPECT_EQ(std::get<std::string>(settings.drivers.at("filter").options.at("compatibility").value), "dalmatian");
  auto sources = scratch_.sources();
  sources.overrides = {"driver.filter.compatibility=2025.1"};
  const auto by_number = load(sources);
  ASSERT_TRUE(by_number);
  EXPECT_EQ(std::get<std::string>(by_number->settings.drivers.at("filter").options.at("compatibility").value), "epoxy");
  const auto unknown = read({}, "", "train");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("train has no level of its own: take zed"));
}

TEST_F(OddDeployment, ReferToDefaultsThatNoFileSets) {
  EXPECT_EQ(loaded({}, "[oslo_messaging_rabbit]\nssl_ca_file = $state_path/ca.pem\n").settings.nova.rabbit.ssl_ca_file,
            "/var/lib/nova/ca.pem");
}

}  // namespace
}  // namespace gantry::config
