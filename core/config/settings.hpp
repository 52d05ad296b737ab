// SPDX-License-Identifier: Apache-2.0
//
// All settings, typed. load.hpp reads them. keys.cpp has the name, default and help of each key.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/config/nova/nova_settings.hpp"

namespace gantry::config {

// A value of a [driver.<id>] section. <id> is the name of the driver, which is the id of its file unless `file` or `path`
// names another file.
using OptionValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::map<std::string, std::string>>;

// An option's value and the place that set it.
struct OptionSource {
  OptionValue value;
  std::string origin;  // "/etc/gantry/gantry.toml:12:1", "environment GANTRY_...", "--set"
};

// [driver.<id>.options.<offer>]: the options of a filter or weigher that a library offers the driver, declared in the
// library's manifest.
struct OfferSettings {
  std::map<std::string, OptionSource> options;  // by the option's name
  std::string origin;                           // the place where the section first appears
};

// [driver.<id>]: the core's own keys, and the options that the driver's manifest declares.
// Where a driver's code runs.
enum class Isolation : std::uint8_t {
  none,     // in the service's own process
  process,  // in a process of its own, the runner
  debug,    // as process, with all rights: debuggers, sanitizers and cores work
};

struct DriverSettings {
  std::string path;      // the file, absolute; empty: `file`
  std::string file;      // the file, by its name in driver_directories; empty: <id>.so
  bool required = true;  // false: the daemon starts even if this driver cannot be loaded
  std::string sha256;    // the hash that the file must have, in hexadecimal; empty: any
  std::vector<std::string>
      libraries;                 // file names in driver_directories; the driver may use their filters and weighers
  std::string libraries_origin;  // the place that set libraries
  std::optional<Isolation> isolation;  // nullopt: as the driver's manifest says
  std::string fallback;                // id of the driver that decides where this one fails; empty: none
  std::uint64_t memory_limit = std::uint64_t{2} << 30;  // bytes of address space that a runner may add; 0: no limit
  std::uint32_t cpu_limit = 0;                  // percent of one processor that a runner may use for long; 0: no limit
  std::map<std::string, OfferSettings> offers;  // by the offer's name
  std::map<std::string, OptionSource> options;  // by the option's name
  std::string origin;                           // the place where the section first appears
};

// [[profile]]: a rule by which one of several drivers of topic compute decides a request. Each condition is a list of
// patterns, in which * stands for any text. A condition holds if one of the request's values matches one of its patterns. A
// condition without patterns holds always.
struct Profile {
  std::string name;
  std::string driver;                // the id of the driver that decides the requests for which all conditions hold
  std::vector<std::string> flavor;   // the name of the flavor
  std::vector<std::string> project;  // the project's id
  std::vector<std::string> availability_zone;            // the zone that the request asks for
  std::vector<std::string> aggregate;                    // name or uuid of an aggregate that the request requires
  std::vector<std::string> group_policy;                 // the policy of the request's server group
  std::map<std::string, std::vector<std::string>> hint;  // scheduler hints by key
  std::string origin;                                    // the place where the rule stands

  bool operator==(const Profile&) const = default;
};

// [ask.<name>]: a policy service that drivers ask through gantry.ask/1.
struct PolicyService {
  std::string url;                           // http or https
  std::chrono::milliseconds timeout{1'000};  // the longest time of an answer, within the driver's deadline
  std::string token_file;                    // absolute: the token that the service is shown; empty: none
  std::string ca_file;                       // absolute: authorities of the service's certificate; empty: the system's
  std::vector<std::string> drivers;          // that may ask; empty: all
  std::string origin;                        // the place where the section first appears
};

struct Settings {
  std::vector<std::string> scheduler_driver{
      "simple"};  // ids of the drivers to load; the first of a topic is its default
  std::string scheduler_driver_origin = "default";
  std::vector<std::string> driver_directories;  // searched in this order; keys.cpp has the default
  bool seal_drivers = true;  // true: load a private copy of each driver file, which is sealed against changes
  std::map<std::string, DriverSettings> drivers;         // by id
  std::map<std::string, PolicyService> policy_services;  // by name
  std::vector<Profile> profiles;                         // tried in this order; the first that takes a request decides

  struct Server {
    std::string socket = "/run/gantry/gantry.sock";
    std::uint32_t socket_mode = 0660;
    std::string socket_group;               // the group that owns the socket; empty: the daemon's group
    std::vector<std::string> socket_roles;  // roles of users and groups at the unix socket; see socket_role.hpp
    std::vector<std::string> listen;        // TCP addresses: "127.0.0.1:8774"; empty: the unix socket alone
    std::string tls_certificate;            // a PEM file; set together with tls_key or not at all
    std::string tls_key;                    // a PEM file with the private key
    bool require_tokens = true;             // true: clients over TCP must send a token
    std::uint32_t workers = 0;  // threads that read requests and decide; 0: one for each processor, at least two
    std::uint32_t max_connections = 16'384;         // on the unix socket, and as many over TCP
    std::uint32_t max_waiting_requests = 4'096;     // requests read but not yet answered; long polls do not count
    std::uint64_t max_unsent_bytes = 512ULL << 20;  // of all answers that clients have not taken yet
    std::uint64_t max_header_bytes = 16ULL << 10;
    std::chrono::milliseconds idle_timeout{75'000};     // a connection without a request is closed after this time
    std::chrono::milliseconds receive_timeout{30'000};  // from a request's first byte to its last
    std::chrono::milliseconds request_timeout{30'000};  // the longest time from reading a request to its answer
    std::chrono::milliseconds stop_timeout{30'000};     // how long a stop waits for the requests under way
    std::chrono::milliseconds restart_timeout{60'000};  // how long a successor may take until it can take over
    std::uint64_t max_body_bytes = 8ULL << 20;

    // Returns the number of workers: at least two unless `workers` says one, so that one worker stays free while a slow
    // decision holds another.
    std::uint32_t worker_count() const {
      return workers != 0 ? workers : std::max(2U, std::thread::hardware_concurrency());
    }
  } server;

  struct Store {
    std::string path = "/var/lib/gantry/gantry.db";
  } store;

  struct Decisions {
    std::uint64_t keep = 1'000'000;                    // decisions; 0: none is kept
    std::chrono::milliseconds max_age{2'592'000'000};  // 30 days
    std::uint64_t facts_bytes = 1ULL << 30;            // the most that the facts beside them may take
    std::string directory;                             // empty: "decisions" beside the store
  } decisions;

  struct Scheduling {
    std::chrono::milliseconds service_down_time{60'000};  // a service is down so long after its last heartbeat
    std::chrono::milliseconds claim_max_age{600'000};     // a claim ends after this time if no report confirms it
    std::chrono::milliseconds call_timeout{10'000};       // a driver's deadline
    std::uint32_t max_attempts = 3;   // hosts that a caller may try for an instance: a destination and its alternates
    bool profiles_required = false;   // true: a request that no profile takes finds no host
    bool avoid_failing_hosts = true;  // a host that fails a kind of build again and again is used last for it
    std::string default_availability_zone = "nova";  // of hosts that no aggregate puts into a zone
    // Allocation ratios of hosts that report none: how much may be given out for each unit that the host has.
    double cpu_allocation_ratio = 16.0;
    double ram_allocation_ratio = 1.5;
    double disk_allocation_ratio = 1.0;
  } scheduling;

  struct Log {
    std::string level = "info";         // the lowest level to log: debug, info, warning or error
    std::string format = "text";        // text, json or logfmt
    std::string file;                   // empty: standard error
    std::string requests = "redacted";  // redacted or full
  } log;

  NovaSettings nova;
};

}  // namespace gantry::config
