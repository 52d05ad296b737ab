// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/part_settings.hpp"

#include <algorithm>
#include <filesystem>
#include <variant>

#include "core/nova/rpc/configured.hpp"

namespace gantry::nova {

namespace {

// The filter driver's host_subset_size, as nova.conf or gantry.toml says it.
std::size_t subset_of(const config::Settings& settings) {
  const auto driver = settings.drivers.find("filter");
  if (driver == settings.drivers.end()) return 1;
  const auto option = driver->second.options.find("host_subset_size");
  if (option == driver->second.options.end()) return 1;
  const auto* size = std::get_if<std::int64_t>(&option->second.value);
  return size == nullptr || *size < 1 ? 1 : static_cast<std::size_t>(*size);
}

}  // namespace

FactSettings fact_settings(const config::NovaSettings& nova) {
  FactSettings facts;
  facts.database_connection = nova.database_connection;
  facts.api_database_connection = nova.api_database_connection;
  facts.release = nova_release(nova.release);
  facts.host = host_of(nova);
  facts.has_duties = !nova.is_shadow();
  facts.report_interval = nova.report_interval;
  facts.discover_hosts_interval = std::chrono::seconds(nova.discover_hosts_in_cells_interval);
  facts.disable_compute_service_check_for_ffu = nova.disable_compute_service_check_for_ffu;
  return facts;
}

RequestOptions request_options(const config::NovaSettings& nova) {
  RequestOptions options;
  if (const auto* const rules = questions_of(nova.release)) options.rules = *rules;
  options.max_placement_results = nova.max_placement_results;
  options.limit_tenants_to_placement_aggregate = nova.limit_tenants_to_placement_aggregate;
  options.placement_aggregate_required_for_tenants = nova.placement_aggregate_required_for_tenants;
  options.query_placement_for_availability_zone = nova.query_placement_for_availability_zone;
  options.query_placement_for_image_type_support = nova.query_placement_for_image_type_support;
  options.enable_isolated_aggregate_filtering = nova.enable_isolated_aggregate_filtering;
  options.image_metadata_prefilter = nova.image_metadata_prefilter;
  options.query_placement_for_routed_network_aggregates = nova.query_placement_for_routed_network_aggregates;
  options.disable_fallback_pcpu_query = nova.disable_fallback_pcpu_query;
  return options;
}

Result<RpcServerSettings> rpc_settings(const config::Settings& settings) {
  const auto& nova = settings.nova;
  auto url = config::nova::parse_transport_url(nova.transport_url);
  if (!url) return Error{ErrorCode::invalid_configuration, "[DEFAULT] transport_url: " + url.error().message, {}};
  RpcServerSettings rpc;
  rpc.url = *std::move(url);
  rpc.control_exchange = nova.control_exchange;
  rpc.host = host_of(nova);
  rpc.takes_copies = nova.is_shadow();
  rpc.prefetch = nova.prefetch;
  rpc.consumer_priority = nova.consumer_priority;
  rpc.rpc_ping_enabled = nova.rpc_ping_enabled;
  rpc.journal = nova.journal.empty()
                    ? std::filesystem::path(settings.server.socket).replace_filename("requests.journal").string()
                    : nova.journal;
  const auto& rabbit = nova.rabbit;
  rpc.queues = queue_options_of(nova);
  rpc.ssl = rabbit.ssl;
  rpc.ssl_ca_file = rabbit.ssl_ca_file;
  rpc.ssl_cert_file = rabbit.ssl_cert_file;
  rpc.ssl_key_file = rabbit.ssl_key_file;
  rpc.ssl_enforce_hostname_verification = rabbit.ssl_enforce_hostname_verification;
  rpc.heartbeat = heartbeat_of(nova);
  rpc.rabbit_login_method = rabbit.rabbit_login_method;
  rpc.kombu_missing_consumer_retry_timeout = std::chrono::seconds(rabbit.kombu_missing_consumer_retry_timeout);
  return rpc;
}

Result<ShadowSettings> shadow_settings(const config::Settings& settings) {
  const auto& nova = settings.nova;
  auto url = parse_database_url(nova.api_database_connection);
  if (!url) return std::move(url).error().within("[api_database] connection");
  ShadowSettings shadow;
  // Without the mirror, each look asks placement for its candidates.
  if (nova.placement_database_connection.empty() || !nova.mirror) shadow.interval = std::chrono::seconds(1);
  shadow.subset = subset_of(settings);
  shadow.most_candidates = static_cast<std::size_t>(std::max<std::int64_t>(nova.max_placement_results.value_or(0), 0));
  shadow.directory = std::filesystem::path(settings.store.path).replace_filename("shadow").string();
  shadow.most_kept = nova.shadow_kept;
  shadow.api_database = *std::move(url);
  return shadow;
}

}  // namespace gantry::nova
