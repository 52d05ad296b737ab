// SPDX-License-Identifier: Apache-2.0
//
// The settings of a Nova deployment that Gantry schedules for: [nova] of the configuration, and the options of the
// deployment's own files. An option has the name that it has in nova.conf.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gantry::config {

// How to log in at Keystone, and where the service is: the sections [placement] and [neutron].
struct NovaServiceSettings {
  // "password" or "v3password"; "none" or "noauth": endpoint_override alone; "admin_token": endpoint_override and token
  std::string auth_type;
  std::string auth_url;
  std::string username;
  std::string password;  // a secret
  std::string token;     // a secret
  std::string user_domain_name, user_domain_id;
  std::string project_name, project_id;
  std::string project_domain_name, project_domain_id;
  std::string region_name;
  std::string service_type;       // in Keystone's catalogue; empty: "placement" or "network"
  std::string service_name;       // the same; empty: any
  std::string endpoint_override;  // a URL; empty: Keystone's catalogue names the endpoint
  std::vector<std::string> valid_interfaces{"internal", "public"};
  std::string cafile, certfile, keyfile;
  bool insecure = false;
  std::chrono::seconds timeout{60};
};

struct NovaSettings {
  // The deployment's files, later ones over earlier ones. Empty: there is no deployment.
  std::vector<std::string> config_files;
  bool is_configured() const { return !config_files.empty(); }
  bool is_shadow() const { return mode == "shadow"; }

  // The release of the deployment, zed or later: what [driver.filter] compatibility says.
  std::string release = "hibiscus";

  // ---- keys of [nova]
  std::string mode = "serve";                            // "shadow": decides on copies of requests, and claims nothing
  std::uint32_t shadow_kept = 20;                        // differences of the shadow whose facts are kept in files
  std::uint16_t prefetch = 64;                           // requests that are taken from the broker at a time
  std::uint32_t consumer_priority = 10;                  // at the broker; nova-scheduler has 0
  std::chrono::milliseconds candidates_reuse{1'000};     // how long placement's answer serves equal questions
  std::chrono::milliseconds wait_for_facts{30'000};      // how long a request waits for a database that is away
  std::chrono::milliseconds placement_patience{10'000};  // how long a request waits for placement
  std::uint32_t claim_connections = 8;
  std::string rebuild_hint = "honour";  // "refuse": a request with the hint of a rebuild gets no host
  bool mirror = true;                   // candidates are computed if placement's database is named
  std::uint32_t mirror_audit = 100;     // one answer of the mirror in so many is compared with placement's
  std::string journal;                  // the file of requests under way; empty: requests.journal beside the socket

  // ---- [DEFAULT]
  std::string host;           // the name of this scheduler; empty: the machine's name
  std::string transport_url;  // a secret
  std::string control_exchange = "nova";
  std::chrono::seconds report_interval{10};
  bool rpc_ping_enabled = false;

  // ---- [oslo_messaging_rabbit]
  struct Rabbit {
    bool amqp_durable_queues = false;
    bool amqp_auto_delete = false;
    bool rabbit_quorum_queue = false;
    std::int64_t rabbit_quorum_delivery_limit = 0;
    std::int64_t rabbit_quorum_max_memory_length = 0;
    std::int64_t rabbit_quorum_max_memory_bytes = 0;
    bool rabbit_ha_queues = false;
    bool rabbit_transient_quorum_queue = false;
    bool rabbit_stream_fanout = false;
    std::int64_t rabbit_transient_queues_ttl = 1800;
    bool enable_cancel_on_failover = false;
    std::int64_t kombu_missing_consumer_retry_timeout = 60;
    std::string rabbit_login_method = "AMQPLAIN";
    std::int64_t heartbeat_timeout_threshold = 20;  // seconds; 0: no heartbeats. Nova's default is 60
    bool ssl = false;
    std::string ssl_ca_file, ssl_cert_file, ssl_key_file;
    bool ssl_enforce_hostname_verification = false;
  } rabbit;

  // ---- [database], [api_database] and [placement_database]: URLs as SQLAlchemy has them; secrets
  std::string database_connection;
  std::string api_database_connection;
  std::string placement_database_connection;  // empty: placement is asked for candidates

  NovaServiceSettings placement;
  NovaServiceSettings neutron;

  // ---- [scheduler] and [workarounds]
  std::optional<std::int64_t> max_placement_results = 1000;
  bool limit_tenants_to_placement_aggregate = false;
  bool placement_aggregate_required_for_tenants = false;
  bool query_placement_for_availability_zone = true;
  bool query_placement_for_image_type_support = false;
  bool enable_isolated_aggregate_filtering = false;
  bool image_metadata_prefilter = false;
  bool query_placement_for_routed_network_aggregates = false;
  std::int64_t discover_hosts_in_cells_interval = -1;  // seconds; below 1: hosts are not discovered
  bool discovers_hosts() const { return discover_hosts_in_cells_interval > 0 && !is_shadow(); }
  bool disable_fallback_pcpu_query = false;
  bool disable_compute_service_check_for_ffu = false;
};

}  // namespace gantry::config
