// SPDX-License-Identifier: Apache-2.0
//
// The files of a Nova deployment as the lowest layer of the configuration.
#include "core/config/nova/deployment.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Texts = std::vector<std::string>;

// The least that a deployment says, as a controller has it.
constexpr const char* controller = R"([DEFAULT]
transport_url = rabbit://nova:hushed@$my_ip:5672/
my_ip = 127.0.0.1
host = c0
service_down_time = 90
[api_database]
connection = mysql+pymysql://nova:hushed@$my_ip/nova_api?charset=utf8
[database]
connection = mysql+pymysql://nova:hushed@${api_database.server}/nova?charset=utf8
[placement]
auth_type = password
auth_url = http://127.0.0.1:5000/
username = placement
password = hushed
[api_database]
server = 127.0.0.2
)";

class Deployment : public testing::Test {
 protected:
  std::string conf(const std::string& text, const std::string& name = "nova.conf", mode_t mode = 0640) const {
    return scratch_.write(name, text, mode);
  }
  // Sources whose gantry.toml names the files.
  Sources sources(const Texts& files, const std::string& more = "") const {
    std::string toml = "[nova]\nconfig_files = [";
    for (const auto& file : files) toml += "'" + file + "', ";
    scratch_.write("gantry.toml", toml + "]\n" + more, 0640);
    return scratch_.sources();
  }
  Loaded loaded(const Sources& sources) const {
    auto result = load(sources);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *std::move(result) : Loaded{};
  }
  Loaded loaded(const std::string& text) const { return loaded(sources({conf(text)})); }
  Loaded loaded_beside_controller(const std::string& text) const {
    return loaded(sources({conf(controller, "a.conf"), conf(text)}));
  }
  std::string refusal(const Sources& sources) const {
    const auto result = load(sources);
    return result ? "loaded" : result.error().message;
  }
  std::string refusal_beside_controller(const std::string& text) const {
    return refusal(sources({conf(controller, "a.conf"), conf(text)}));
  }
  std::string path(const std::string& name) const { return scratch_.path(name); }

  Scratch scratch_;
};

Shown shown_of(const Loaded& loaded, const std::string& key) {
  const auto at = std::ranges::find(loaded.shown, key, &Shown::key);
  return at == loaded.shown.end() ? Shown{key, "missing", "missing"} : *at;
}

template <class T>
T option(const Loaded& loaded, const std::string& name) {
  const auto filter = loaded.settings.drivers.find("filter");
  if (filter == loaded.settings.drivers.end() || !filter->second.options.contains(name)) return {};
  return std::get<T>(filter->second.options.at(name).value);
}

TEST_F(Deployment, IsTheLowestLayer) {
  const auto all = loaded(sources({conf(controller)},
                                  "candidates_reuse = 0.5\ndatabase_connection = 'mysql://me:hushed@db/nova'\n"
                                  "[scheduling]\nmax_attempts = 7\n"));
  EXPECT_EQ(all.settings.scheduling.service_down_time, 90s);
  EXPECT_EQ(shown_of(all, "scheduling.service_down_time").origin, path("nova.conf") + ":5");
  EXPECT_EQ(all.settings.scheduling.max_attempts, 7U);
  EXPECT_EQ(all.settings.nova.candidates_reuse, 500ms);
  EXPECT_EQ(all.settings.nova.host, "c0");
  EXPECT_EQ(all.settings.nova.transport_url, "rabbit://nova:hushed@127.0.0.1:5672/");
  EXPECT_EQ(all.settings.nova.database_connection, "mysql://me:hushed@db/nova");
  EXPECT_THAT(shown_of(all, "nova.database_connection").origin, HasSubstr("gantry.toml:4:1"));
  EXPECT_EQ(shown_of(all, "[placement] username").value, "\"placement\"");
  EXPECT_EQ(shown_of(all, "[placement] username").origin, path("nova.conf") + ":13");
  EXPECT_EQ(shown_of(all, "[placement] timeout").origin, "default");
  EXPECT_THAT(all.warnings, IsEmpty());
}

TEST_F(Deployment, YieldsToEachOtherSource) {
  auto all = sources({conf(std::string(controller) + "[filter_scheduler]\nhost_subset_size = 4\n")});
  all.environment["GANTRY_SCHEDULING__SERVICE_DOWN_TIME"] = "33";
  all.environment["GANTRY_NOVA__HOST"] = "other";
  all.overrides = {"driver.filter.host_subset_size=9"};
  const auto read = loaded(all);
  EXPECT_EQ(read.settings.scheduling.service_down_time, 33s);
  EXPECT_EQ(read.settings.nova.host, "other");
  EXPECT_EQ(option<std::int64_t>(read, "host_subset_size"), 9);
  EXPECT_EQ(shown_of(read, "driver.filter.host_subset_size").origin, "--set");
}

TEST_F(Deployment, MayBeNamedOnTheCommandLine) {
  auto sources = scratch_.sources();
  sources.overrides = {"nova.config_files=" + conf(controller)};
  EXPECT_EQ(loaded(sources).settings.nova.host, "c0");
}

TEST_F(Deployment, FollowsReferencesToOtherSections) {
  EXPECT_EQ(loaded(controller).settings.nova.database_connection,
            "mysql+pymysql://nova:hushed@127.0.0.2/nova?charset=utf8");
}

TEST_F(Deployment, LaterFilesAndThoseOfADirectoryByNameWin) {
  conf("[DEFAULT]\nhost = one\n[scheduler]\nmax_placement_results = 5\n", "conf.d/1.conf");
  conf("[DEFAULT]\nhost = two\n", "conf.d/2.conf");
  conf("[DEFAULT]\nhost = none\n", "conf.d/3.txt");
  // gantry.toml's own drop-ins are *.toml of the same directory.
  const auto all = loaded(sources({conf(controller), path("conf.d")}));
  EXPECT_EQ(all.settings.nova.host, "two");
  EXPECT_EQ(all.settings.nova.max_placement_results, 5);
  EXPECT_EQ(shown_of(all, "nova.host").origin, path("conf.d/2.conf") + ":2");
}

TEST_F(Deployment, SchedulesAsTheReleaseDoesByDefault) {
  const auto all = loaded(controller);
  EXPECT_THAT(all.settings.scheduler_driver, ElementsAre("filter"));
  EXPECT_EQ(all.settings.scheduler_driver_origin, "default of Nova");
  EXPECT_EQ(option<std::string>(all, "compatibility"), "hibiscus");
  EXPECT_THAT(option<Texts>(all, "enabled_filters"),
              ElementsAre("ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter",
                          "ServerGroupAntiAffinityFilter", "ServerGroupAffinityFilter"));
  const NovaSettings& nova = all.settings.nova;
  EXPECT_EQ(nova.max_placement_results, 1000);
  EXPECT_TRUE(nova.query_placement_for_availability_zone);
  EXPECT_EQ(nova.discover_hosts_in_cells_interval, -1);
  EXPECT_EQ(nova.report_interval, 10s);
  EXPECT_EQ(nova.control_exchange, "nova");
  EXPECT_EQ(nova.rabbit.rabbit_transient_queues_ttl, 1800);
  EXPECT_EQ(nova.rabbit.rabbit_login_method, "AMQPLAIN");
  EXPECT_THAT(nova.placement.valid_interfaces, ElementsAre("internal", "public"));
}

TEST_F(Deployment, AddsNoFiltersForPlacementAndKeepsThoseOfLibraries) {
  const auto all = loaded_beside_controller(
      "[filter_scheduler]\nenabled_filters = ComputeFilter, RackFilter\n"
      "weight_classes = nova.scheduler.weights.ram.RAMWeigher, site.weights.PowerWeigher\n");
  EXPECT_THAT(option<Texts>(all, "enabled_filters"), ElementsAre("ComputeFilter", "RackFilter"));
  EXPECT_THAT(option<Texts>(all, "weight_classes"),
              ElementsAre("nova.scheduler.weights.ram.RAMWeigher", "PowerWeigher"));
  EXPECT_EQ(shown_of(all, "driver.filter.enabled_filters").origin, path("nova.conf") + ":2");
}

TEST_F(Deployment, KeepsTheWholeNameOfAClassThatIsNotNovasOwn) {
  EXPECT_THAT(option<Texts>(loaded_beside_controller("[filter_scheduler]\nweight_classes = site.weights.RAMWeigher\n"),
                            "weight_classes"),
              ElementsAre("site.weights.RAMWeigher"));
}

TEST_F(Deployment, HasTheOptionsOfTheBroker) {
  const auto rabbit = loaded_beside_controller(
                          "[DEFAULT]\ncontrol_exchange = other\nrpc_ping_enabled = 1\nrabbit_login_method = PLAIN\n"
                          "[oslo_messaging_rabbit]\namqp_durable_queues = yes\namqp_auto_delete = on\n"
                          "rabbit_quorum_queue = true\nrabbit_quorum_delivery_limit = 3\n"
                          "rabbit_quroum_max_memory_length = 4\nrabbit_quorum_max_memory_bytes = 5\n"
                          "rabbit_transient_quorum_queue = true\nrabbit_stream_fanout = true\n"
                          "rabbit_transient_queues_ttl = 60\nenable_cancel_on_failover = true\n"
                          "kombu_reconnect_timeout = 7\nheartbeat_timeout_threshold = 0\nrabbit_use_ssl = true\n"
                          "ssl_ca_file = /ca\nssl_cert_file = /cert\nkombu_ssl_keyfile = /key\n")
                          .settings.nova;
  EXPECT_EQ(rabbit.control_exchange, "other");
  EXPECT_TRUE(rabbit.rpc_ping_enabled);
  EXPECT_TRUE(rabbit.rabbit.amqp_durable_queues);
  EXPECT_TRUE(rabbit.rabbit.amqp_auto_delete);
  EXPECT_TRUE(rabbit.rabbit.rabbit_quorum_queue);
  EXPECT_EQ(rabbit.rabbit.rabbit_quorum_delivery_limit, 3);
  EXPECT_EQ(rabbit.rabbit.rabbit_quorum_max_memory_length, 4);
  EXPECT_EQ(rabbit.rabbit.rabbit_quorum_max_memory_bytes, 5);
  EXPECT_TRUE(rabbit.rabbit.rabbit_transient_quorum_queue);
  EXPECT_TRUE(rabbit.rabbit.rabbit_stream_fanout);
  EXPECT_EQ(rabbit.rabbit.rabbit_transient_queues_ttl, 60);
  EXPECT_TRUE(rabbit.rabbit.enable_cancel_on_failover);
  EXPECT_EQ(rabbit.rabbit.kombu_missing_consumer_retry_timeout, 7);
  EXPECT_EQ(rabbit.rabbit.rabbit_login_method, "PLAIN");
  EXPECT_EQ(rabbit.rabbit.heartbeat_timeout_threshold, 0);
  EXPECT_TRUE(rabbit.rabbit.ssl);
  EXPECT_EQ(rabbit.rabbit.ssl_ca_file, "/ca");
  EXPECT_EQ(rabbit.rabbit.ssl_cert_file, "/cert");
  EXPECT_EQ(rabbit.rabbit.ssl_key_file, "/key");
}

TEST_F(Deployment, HasTheOptionsOfTheQuestionForPlacement) {
  const auto nova = loaded_beside_controller(
                        "[scheduler]\nlimit_tenants_to_placement_aggregate = true\n"
                        "placement_aggregate_required_for_tenants = true\n"
                        "query_placement_for_availability_zone = false\nquery_placement_for_image_type_support = true\n"
                        "enable_isolated_aggregate_filtering = true\nimage_metadata_prefilter = true\n"
                        "query_placement_for_routed_network_aggregates = true\ndiscover_hosts_in_cells_interval = 300\n"
                        "max_placement_results = 50\n[workarounds]\ndisable_fallback_pcpu_query = true\n"
                        "disable_compute_service_check_for_ffu = true\n")
                        .settings.nova;
  EXPECT_TRUE(nova.limit_tenants_to_placement_aggregate);
  EXPECT_TRUE(nova.placement_aggregate_required_for_tenants);
  EXPECT_FALSE(nova.query_placement_for_availability_zone);
  EXPECT_TRUE(nova.query_placement_for_image_type_support);
  EXPECT_TRUE(nova.enable_isolated_aggregate_filtering);
  EXPECT_TRUE(nova.image_metadata_prefilter);
  EXPECT_TRUE(nova.query_placement_for_routed_network_aggregates);
  EXPECT_EQ(nova.discover_hosts_in_cells_interval, 300);
  EXPECT_EQ(nova.max_placement_results, 50);
  EXPECT_TRUE(nova.disable_fallback_pcpu_query);
  EXPECT_TRUE(nova.disable_compute_service_check_for_ffu);
}

TEST_F(Deployment, HasTheOptionsOfItsServices) {
  const auto nova =
      loaded_beside_controller(
          "[placement]\nregion_name = north\nvalid_interfaces = admin, internal\ninsecure = true\ntimeout = 9\n"
          "cafile = /ca\nuser_domain_name = u\nproject_domain_id = p\ntenant_name = service\n"
          "[neutron]\nauth_section = login\ndefault_domain_name = d\nendpoint_override = http://n:9696\n"
          "[login]\nauth_type = v3password\nauth_url = http://k\nuser_name = neutron\npassword = hushed\n"
          "default_domain_name = Default\n")
          .settings.nova;
  EXPECT_EQ(nova.placement.region_name, "north");
  EXPECT_THAT(nova.placement.valid_interfaces, ElementsAre("admin", "internal"));
  EXPECT_TRUE(nova.placement.insecure);
  EXPECT_EQ(nova.placement.timeout, 9s);
  EXPECT_EQ(nova.placement.cafile, "/ca");
  EXPECT_EQ(nova.placement.user_domain_name, "u");
  EXPECT_EQ(nova.placement.project_domain_id, "p");
  EXPECT_EQ(nova.placement.project_name, "service");
  EXPECT_EQ(nova.neutron.auth_type, "v3password");
  EXPECT_EQ(nova.neutron.username, "neutron");
  EXPECT_EQ(nova.neutron.user_domain_name, "Default");
  EXPECT_EQ(nova.neutron.endpoint_override, "http://n:9696");
}

TEST_F(Deployment, MayLogInWithOneToken) {
  const auto placement = loaded_beside_controller(
                             "[placement]\nauth_type = admin_token\nendpoint = http://127.0.0.1:8778\ntoken = hushed\n")
                             .settings.nova.placement;
  EXPECT_EQ(placement.endpoint_override, "http://127.0.0.1:8778");
  EXPECT_EQ(placement.token, "hushed");
}

TEST_F(Deployment, ShowsSecretsAsStars) {
  const auto all = loaded_beside_controller(
      "[placement]\nauth_type = admin_token\nendpoint = http://p\ntoken = hushed\n[neutron]\npassword = hushed\n");
  for (const char* key : {"nova.transport_url", "nova.database_connection", "nova.api_database_connection",
                          "[placement] password", "[placement] token", "[neutron] password"})
    EXPECT_EQ(shown_of(all, key).value, "\"****\"") << key;
  EXPECT_EQ(shown_of(all, "[neutron] token").value, "\"\"");
  for (const auto& shown : all.shown) EXPECT_THAT(shown.value, Not(HasSubstr("hushed"))) << shown.key;
}

TEST_F(Deployment, IsLeftOutForCallersOfTheDaemon) {
  auto all = sources({"/nowhere/nova.conf"});
  all.reads_nova = false;
  EXPECT_THAT(loaded(all).settings.nova.config_files, ElementsAre("/nowhere/nova.conf"));
}

TEST_F(Deployment, IsNotThereWithoutFiles) {
  const auto all = loaded(scratch_.sources());
  EXPECT_FALSE(all.settings.nova.is_configured());
  EXPECT_THAT(all.settings.scheduler_driver, ElementsAre("simple"));
  for (const auto& shown : all.shown) EXPECT_FALSE(shown.key.starts_with('[')) << shown.key;
}

TEST_F(Deployment, WarnsOfFilesThatEveryoneMayRead) {
  const std::string file = conf(controller, "nova.conf", 0644);
  EXPECT_THAT(loaded(sources({file})).warnings,
              ElementsAre(file + ": everyone may read it, and it holds passwords; do: chmod o-r " + file));
  auto all = sources({conf(controller)}, "transport_url = 'rabbit://a:hushed@b/'\n");
  ::chmod(all.file.c_str(), 0644);
  EXPECT_THAT(loaded(all).warnings,
              ElementsAre(all.file + ": everyone may read it, and it holds a password; do: chmod o-r " + all.file));
}

TEST_F(Deployment, WarnsOfWhatItDoesNotDo) {
  const auto warnings = loaded_beside_controller(
                            "[DEFAULT]\nscheduler_max_attempts = 4\n[oslo_messaging_notifications]\ndriver = noop\n"
                            "driver = messagingv2\n[neutron]\nauth_type = v3applicationcredential\n"
                            "[oslo_messaging_rabbit]\nrabbit_quorum_queues = true\nrabbit_retry_backoff = 3\n")
                            .warnings;
  const std::string file = path("nova.conf");
  EXPECT_THAT(
      warnings,
      testing::UnorderedElementsAre(
          AllOf(HasSubstr(file + ":2: key '[DEFAULT] scheduler_max_attempts'"), HasSubstr("does not read it")),
          AllOf(HasSubstr(file + ":5: key '[oslo_messaging_notifications] driver'"), HasSubstr("notifications")),
          AllOf(HasSubstr(file + ":7: key '[neutron] auth_type'"), HasSubstr("v3applicationcredential")),
          AllOf(HasSubstr(file + ":9: key '[oslo_messaging_rabbit] rabbit_quorum_queues'"),
                HasSubstr("did you mean rabbit_quorum_queue?"))));
}

TEST_F(Deployment, WarnsOfKeysWithoutFiles) {
  scratch_.write("gantry.toml", "[nova]\nconfig_files = []\nprefetch = 3\n");
  EXPECT_THAT(loaded(scratch_.sources()).warnings,
              ElementsAre(HasSubstr("gantry.toml:3:1: nova.prefetch has no effect")));
}

TEST_F(Deployment, WarnsWhereTheFilterDriverIsNotLoaded) {
  scratch_.write("conf.d/driver.toml", "scheduler_driver = 'simple'\n");
  const auto all = loaded(controller);
  EXPECT_THAT(all.settings.scheduler_driver, ElementsAre("simple"));
  EXPECT_THAT(all.warnings, ElementsAre(HasSubstr("[driver.filter] has no effect")));
}

struct Wrong {
  const char* text;
  std::vector<const char*> said;
};

class DeploymentRefuses : public Deployment, public testing::WithParamInterface<Wrong> {};

TEST_P(DeploymentRefuses, NamesPlaceExpectedAndFoundAndNoSecret) {
  const std::string said = refusal_beside_controller(GetParam().text);
  for (const char* part : GetParam().said) EXPECT_THAT(said, HasSubstr(part));
  EXPECT_THAT(said, AllOf(HasSubstr("nova.conf"), Not(HasSubstr("hushed"))));
}

INSTANTIATE_TEST_SUITE_P(
    Each, DeploymentRefuses,
    testing::Values(
        Wrong{"[DEFAULT]\ntransport_url = kafka://nova:hushed@h\n",
              {"nova.conf:2: key '[DEFAULT] transport_url': expected rabbit://", "found the transport kafka"}},
        Wrong{"[DEFAULT]\ntransport_url = hushed\n", {"found text that has no scheme"}},
        Wrong{"[DEFAULT]\ntransport_url = hushed:5672://x\n", {"found text that has no scheme"}},
        Wrong{"[DEFAULT]\ntransport_url =\n", {"nova.conf:2:", "found nothing", "nova.transport_url"}},
        Wrong{"[DEFAULT]\ntransport_url = rabbit://nova:pa$hushed@h/\n", {"nova.conf:2:", "$$ for a plain $"}},
        Wrong{"[database]\nconnection = postgresql+psycopg2://nova:hushed@h/nova\n",
              {"nova.conf:2: key '[database] connection': expected mysql+pymysql://",
               "found a PostgreSQL database (postgresql+psycopg2)", "libpq"}},
        Wrong{"[api_database]\nconnection = sqlite:////var/lib/hushed.sqlite\n",
              {"key '[api_database] connection'", "found the database sqlite"}},
        Wrong{"[oslo_messaging_rabbit]\nrabbit_quorum_queue = true\nrabbit_ha_queues = true\n",
              {"nova.conf:2: key '[oslo_messaging_rabbit] rabbit_quorum_queue'", "found both true"}},
        Wrong{"[oslo_messaging_rabbit]\nrabbit_stream_fanout = true\n",
              {"nova.conf:2:", "rabbit_transient_quorum_queue"}},
        Wrong{"[oslo_messaging_rabbit]\nrabbit_transient_queues_ttl = -1\n", {"nova.conf:2:", "at least 0, found -1"}},
        Wrong{"[oslo_messaging_rabbit]\nrabbit_login_method = PLIAN\n",
              {"expected one of PLAIN, AMQPLAIN", "found \"PLIAN\"", "did you mean PLAIN?"}},
        Wrong{"[oslo_messaging_rabbit]\namqp_durable_queues = maybe\n", {"expected true or false", "found \"maybe\""}},
        Wrong{"[scheduler]\nmax_placement_results = many\n", {"nova.conf:2:", "expected a whole number"}},
        Wrong{"[scheduler]\ndriver = site.Scheduler\n", {"key '[scheduler] driver'", "\"site.Scheduler\""}},
        Wrong{"[scheduler]\ndriver = chance_scheduler\n", {"key '[scheduler] driver'", "scheduler_driver"}},
        Wrong{"[scheduler]\nhost_manager = site.Manager\n", {"key '[scheduler] host_manager'", "\"site.Manager\""}},
        Wrong{"[filter_scheduler]\navailable_filters = site.filters.ComputeFilter\n",
              {"nova.conf:2: key '[filter_scheduler] available_filters'", "takes the place of Nova's ComputeFilter"}},
        Wrong{"[scheduler]\nmax_attempts = 0\n", {"nova.conf:2: key '[scheduler] max_attempts': expected at least 1"}},
        Wrong{"[DEFAULT]\ncpu_allocation_ratio = 1e9\n", {"nova.conf:2:", "expected a number, 0.001 to 1000000"}},
        Wrong{"[placement]\nauth_type = v3kerberos\n", {"nova.conf:2:", "expected password", "\"v3kerberos\""}},
        Wrong{"[placement]\nauth_type = admin_token\n", {"'[placement] endpoint_override'", "'[placement] token'"}},
        Wrong{"[placement]\npassword =\n", {"key '[placement] password'", "found nothing"}},
        Wrong{"[placement]\npasword = hushed\nauth_url =\n", {"nova.conf:2:", "did you mean password?"}},
        Wrong{"[DEFAULT]\nhushed!\n", {"nova.conf:2: expected key = value"}},
        Wrong{"[DEFAULT]\n  hushed\n", {"nova.conf:2: expected a line that begins with a key"}},
        Wrong{"[DEFAULT]\n= hushed\n", {"nova.conf:2: expected a key in front of ="}}));

TEST_F(Deployment, ReportsAllProblemsAtOnce) {
  const std::string said = refusal(sources({conf("[DEFAULT]\nreport_interval = soon\n[database]\n"
                                                 "connection = sqlite://\n[placement]\nauth_type = x\n")},
                                           "[server]\nworkers = 'x'\n"));
  for (const char* part : {"report_interval", "transport_url", "'[database] connection'", "'[api_database] connection'",
                           "'[placement] auth_type'", "server.workers"})
    EXPECT_THAT(said, HasSubstr(part));
}

TEST_F(Deployment, RefusesFilesThatCannotBeRead) {
  const std::string broken = conf("[DEFAULT\n");
  EXPECT_EQ(refusal(sources({"/nowhere/nova.conf", broken})),
            "/nowhere/nova.conf: expected a file of a Nova deployment, found none of that name\n" + broken +
                ":1: expected a section such as [scheduler], found \"[DEFAULT\"");
  EXPECT_THAT(refusal(sources({"nova.conf"})), HasSubstr("nova.config_files: expected a list of absolute paths"));
  conf("", "empty/readme");
  EXPECT_THAT(refusal(sources({path("empty")})), HasSubstr("expected *.conf in it, found none"));
}

TEST_F(Deployment, IsOfTheReleaseThatTheFilterDriverIsCompatibleWith) {
  const Texts files{conf(controller)};
  EXPECT_EQ(loaded(sources(files)).settings.nova.release, "hibiscus");
  const auto later = loaded(sources(files, "[driver.filter]\ncompatibility = 'epoxy'\n")).settings;
  EXPECT_EQ(later.nova.release, "epoxy");
  EXPECT_EQ(std::get<std::string>(later.drivers.at("filter").options.at("compatibility").value), "epoxy");
  // The ratio of hosts that report none, as that release has it.
  EXPECT_EQ(later.scheduling.cpu_allocation_ratio, 4.0);
}

TEST_F(Deployment, OlderThanZedIsRefused) {
  EXPECT_THAT(
      refusal(sources({conf(controller)}, "[driver.filter]\ncompatibility = 'ocata'\n")),
      AllOf(HasSubstr("gantry.toml:4"), HasSubstr("driver.filter.compatibility: expected zed or a later release"),
            HasSubstr("found \"ocata\"")));
}

}  // namespace
}  // namespace gantry::config
