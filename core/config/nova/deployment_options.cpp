// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/deployment_options.hpp"

#include <algorithm>
#include <array>

namespace gantry::config::nova {

namespace {

using std::chrono::seconds;
using Integer = std::int64_t;
using Texts = std::vector<std::string>;
using Service = NovaServiceSettings;

constexpr std::array<std::string_view, 4> login_methods{"PLAIN", "AMQPLAIN", "EXTERNAL", "RABBIT-CR-DEMO"};
constexpr std::string_view rabbit = "oslo_messaging_rabbit";

constexpr std::array deployment{
    DeploymentOption{.name = {"DEFAULT", "control_exchange"},
                     .field = +[](NovaSettings& s) -> std::string& { return s.control_exchange; }},
    DeploymentOption{.name = {"DEFAULT", "report_interval"},
                     .field = +[](NovaSettings& s) -> seconds& { return s.report_interval; },
                     .minimum = 0},
    DeploymentOption{.name = {"DEFAULT", "rpc_ping_enabled"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rpc_ping_enabled; }},

    DeploymentOption{.name = {rabbit, "amqp_durable_queues"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.amqp_durable_queues; }},
    DeploymentOption{.name = {rabbit, "amqp_auto_delete"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.amqp_auto_delete; },
                     .older = {"DEFAULT", "amqp_auto_delete"}},
    DeploymentOption{.name = {rabbit, "rabbit_quorum_queue"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.rabbit_quorum_queue; }},
    DeploymentOption{.name = {rabbit, "rabbit_quorum_delivery_limit"},
                     .field = +[](NovaSettings& s) -> Integer& { return s.rabbit.rabbit_quorum_delivery_limit; }},
    // oslo.messaging 14 misspells these two.
    DeploymentOption{.name = {rabbit, "rabbit_quorum_max_memory_length"},
                     .field = +[](NovaSettings& s) -> Integer& { return s.rabbit.rabbit_quorum_max_memory_length; },
                     .older = {rabbit, "rabbit_quroum_max_memory_length"}},
    DeploymentOption{.name = {rabbit, "rabbit_quorum_max_memory_bytes"},
                     .field = +[](NovaSettings& s) -> Integer& { return s.rabbit.rabbit_quorum_max_memory_bytes; },
                     .older = {rabbit, "rabbit_quroum_max_memory_bytes"}},
    DeploymentOption{.name = {rabbit, "rabbit_transient_quorum_queue"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.rabbit_transient_quorum_queue; }},
    DeploymentOption{.name = {rabbit, "rabbit_stream_fanout"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.rabbit_stream_fanout; }},
    DeploymentOption{.name = {rabbit, "rabbit_ha_queues"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.rabbit_ha_queues; },
                     .older = {"DEFAULT", "rabbit_ha_queues"}},
    DeploymentOption{.name = {rabbit, "rabbit_transient_queues_ttl"},
                     .field = +[](NovaSettings& s) -> Integer& { return s.rabbit.rabbit_transient_queues_ttl; },
                     .minimum = 0},
    DeploymentOption{.name = {rabbit, "enable_cancel_on_failover"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.enable_cancel_on_failover; }},
    DeploymentOption{
        .name = {rabbit, "kombu_missing_consumer_retry_timeout"},
        .field = +[](NovaSettings& s) -> Integer& { return s.rabbit.kombu_missing_consumer_retry_timeout; },
        .older = {rabbit, "kombu_reconnect_timeout"},
        .minimum = 0},
    DeploymentOption{.name = {rabbit, "rabbit_login_method"},
                     .field = +[](NovaSettings& s) -> std::string& { return s.rabbit.rabbit_login_method; },
                     .older = {"DEFAULT", "rabbit_login_method"},
                     .choices = login_methods},
    DeploymentOption{.name = {rabbit, "heartbeat_timeout_threshold"},
                     .field = +[](NovaSettings& s) -> Integer& { return s.rabbit.heartbeat_timeout_threshold; },
                     .minimum = 0},
    DeploymentOption{.name = {rabbit, "ssl"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.ssl; },
                     .older = {rabbit, "rabbit_use_ssl"}},
    DeploymentOption{.name = {rabbit, "ssl_ca_file"},
                     .field = +[](NovaSettings& s) -> std::string& { return s.rabbit.ssl_ca_file; },
                     .older = {rabbit, "kombu_ssl_ca_certs"}},
    DeploymentOption{.name = {rabbit, "ssl_cert_file"},
                     .field = +[](NovaSettings& s) -> std::string& { return s.rabbit.ssl_cert_file; },
                     .older = {rabbit, "kombu_ssl_certfile"}},
    DeploymentOption{.name = {rabbit, "ssl_key_file"},
                     .field = +[](NovaSettings& s) -> std::string& { return s.rabbit.ssl_key_file; },
                     .older = {rabbit, "kombu_ssl_keyfile"}},
    DeploymentOption{.name = {rabbit, "ssl_enforce_hostname_verification"},
                     .field = +[](NovaSettings& s) -> bool& { return s.rabbit.ssl_enforce_hostname_verification; }},

    DeploymentOption{.name = {"scheduler", "max_placement_results"},
                     .field = +[](NovaSettings& s) -> std::optional<Integer>& { return s.max_placement_results; },
                     .minimum = 1},
    DeploymentOption{.name = {"scheduler", "limit_tenants_to_placement_aggregate"},
                     .field = +[](NovaSettings& s) -> bool& { return s.limit_tenants_to_placement_aggregate; }},
    DeploymentOption{.name = {"scheduler", "placement_aggregate_required_for_tenants"},
                     .field = +[](NovaSettings& s) -> bool& { return s.placement_aggregate_required_for_tenants; }},
    DeploymentOption{.name = {"scheduler", "query_placement_for_availability_zone"},
                     .field = +[](NovaSettings& s) -> bool& { return s.query_placement_for_availability_zone; }},
    DeploymentOption{.name = {"scheduler", "query_placement_for_image_type_support"},
                     .field = +[](NovaSettings& s) -> bool& { return s.query_placement_for_image_type_support; }},
    DeploymentOption{.name = {"scheduler", "enable_isolated_aggregate_filtering"},
                     .field = +[](NovaSettings& s) -> bool& { return s.enable_isolated_aggregate_filtering; }},
    DeploymentOption{.name = {"scheduler", "image_metadata_prefilter"},
                     .field = +[](NovaSettings& s) -> bool& { return s.image_metadata_prefilter; }},
    DeploymentOption{
        .name = {"scheduler", "query_placement_for_routed_network_aggregates"},
        .field = +[](NovaSettings& s) -> bool& { return s.query_placement_for_routed_network_aggregates; }},
    DeploymentOption{.name = {"scheduler", "discover_hosts_in_cells_interval"},
                     .field = +[](NovaSettings& s) -> Integer& { return s.discover_hosts_in_cells_interval; },
                     .minimum = -1},
    DeploymentOption{.name = {"workarounds", "disable_fallback_pcpu_query"},
                     .field = +[](NovaSettings& s) -> bool& { return s.disable_fallback_pcpu_query; }},
    DeploymentOption{.name = {"workarounds", "disable_compute_service_check_for_ffu"},
                     .field = +[](NovaSettings& s) -> bool& { return s.disable_compute_service_check_for_ffu; }},
};

constexpr std::array login{
    ServiceOption{.name = {"", "auth_type"},
                  .field = +[](Service& s) -> std::string& { return s.auth_type; },
                  .older = {"", "auth_plugin"}},
    ServiceOption{.name = {"", "auth_url"}, .field = +[](Service& s) -> std::string& { return s.auth_url; }},
    ServiceOption{.name = {"", "username"},
                  .field = +[](Service& s) -> std::string& { return s.username; },
                  .older = {"", "user_name"}},
    ServiceOption{
        .name = {"", "password"}, .field = +[](Service& s) -> std::string& { return s.password; }, .is_secret = true},
    ServiceOption{
        .name = {"", "token"}, .field = +[](Service& s) -> std::string& { return s.token; }, .is_secret = true},
    ServiceOption{.name = {"", "user_domain_name"},
                  .field = +[](Service& s) -> std::string& { return s.user_domain_name; },
                  .older = {"", "default_domain_name"}},
    ServiceOption{.name = {"", "user_domain_id"},
                  .field = +[](Service& s) -> std::string& { return s.user_domain_id; },
                  .older = {"", "default_domain_id"}},
    ServiceOption{.name = {"", "project_name"},
                  .field = +[](Service& s) -> std::string& { return s.project_name; },
                  .older = {"", "tenant_name"}},
    ServiceOption{.name = {"", "project_id"},
                  .field = +[](Service& s) -> std::string& { return s.project_id; },
                  .older = {"", "tenant_id"}},
    ServiceOption{.name = {"", "project_domain_name"},
                  .field = +[](Service& s) -> std::string& { return s.project_domain_name; },
                  .older = {"", "default_domain_name"}},
    ServiceOption{.name = {"", "project_domain_id"},
                  .field = +[](Service& s) -> std::string& { return s.project_domain_id; },
                  .older = {"", "default_domain_id"}},
};

constexpr std::array service{
    ServiceOption{.name = {"", "region_name"}, .field = +[](Service& s) -> std::string& { return s.region_name; }},
    ServiceOption{.name = {"", "service_type"}, .field = +[](Service& s) -> std::string& { return s.service_type; }},
    ServiceOption{.name = {"", "service_name"}, .field = +[](Service& s) -> std::string& { return s.service_name; }},
    // The logins none and admin_token have an option of their own for the endpoint.
    ServiceOption{.name = {"", "endpoint_override"},
                  .field = +[](Service& s) -> std::string& { return s.endpoint_override; },
                  .older = {"", "endpoint"},
                  .oldest = {"", "url"}},
    ServiceOption{.name = {"", "valid_interfaces"}, .field = +[](Service& s) -> Texts& { return s.valid_interfaces; }},
    ServiceOption{.name = {"", "cafile"}, .field = +[](Service& s) -> std::string& { return s.cafile; }},
    ServiceOption{.name = {"", "certfile"}, .field = +[](Service& s) -> std::string& { return s.certfile; }},
    ServiceOption{.name = {"", "keyfile"}, .field = +[](Service& s) -> std::string& { return s.keyfile; }},
    ServiceOption{.name = {"", "insecure"}, .field = +[](Service& s) -> bool& { return s.insecure; }},
    ServiceOption{.name = {"", "timeout"}, .field = +[](Service& s) -> seconds& { return s.timeout; }, .minimum = 1},
};

constexpr std::array<std::string_view, 20> others_of_rabbit{"use_queue_manager",
                                                            "hostname",
                                                            "processname",
                                                            "ssl_version",
                                                            "ssl_enforce_fips_mode",
                                                            "heartbeat_in_pthread",
                                                            "kombu_reconnect_delay",
                                                            "kombu_compression",
                                                            "kombu_failover_strategy",
                                                            "rabbit_retry_interval",
                                                            "rabbit_retry_backoff",
                                                            "rabbit_interval_max",
                                                            "rabbit_qos_prefetch_count",
                                                            "heartbeat_rate",
                                                            "direct_mandatory_flag",
                                                            "kombu_ssl_version",
                                                            "rabbit_max_retries",
                                                            "rabbit_host",
                                                            "rabbit_password",
                                                            "rabbit_virtual_host"};

}  // namespace

bool is_other_rabbit_option(std::string_view key) {
  return std::ranges::find(others_of_rabbit, key) != others_of_rabbit.end();
}

std::span<const DeploymentOption> deployment_options() {
  return deployment;
}

std::span<const ServiceOption> login_options() {
  return login;
}

std::span<const ServiceOption> service_options() {
  return service;
}

std::span<const OverriddenOption> overridden_options() {
  static const std::array overridden{
      OverriddenOption{{{"DEFAULT", "transport_url"}}, "transport_url"},
      OverriddenOption{{{"DEFAULT", "host"}}, "host"},
      OverriddenOption{{{"database", "connection"},
                        {"DEFAULT", "sql_connection"},
                        {"database", "sql_connection"},
                        {"sql", "connection"}},
                       "database_connection"},
      OverriddenOption{{{"api_database", "connection"}}, "api_database_connection"},
      OverriddenOption{{{"placement_database", "connection"}}, "placement_database_connection"},
  };
  return overridden;
}

}  // namespace gantry::config::nova
