// SPDX-License-Identifier: Apache-2.0
//
// All settings, typed. load.hpp reads them. keys.cpp has the name, default and help of each key.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace gantry::config {

// A value of a [driver.<id>] section.
using OptionValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::map<std::string, std::string>>;

struct OptionSource {
  OptionValue value;
  std::string origin;  // "/etc/gantry/gantry.toml:12:1", "environment GANTRY_...", "--set"
};

// [driver.<id>.options.<offer>]: the options of a filter or weigher that a library offers the driver, declared in the
// library's manifest.
struct OfferSettings {
  std::map<std::string, OptionSource> options;
  std::string origin;  // the section's first place
};

// [driver.<id>]: the core's own keys, and the options that the driver's manifest declares.
struct DriverSettings {
  std::string path;      // the file, absolute; empty: <id>.so in driver_directories
  bool required = true;  // false: a start goes on without the driver
  std::string sha256;    // pinned content, hexadecimal; empty: not pinned
  std::vector<std::string>
      libraries;  // file names in driver_directories; the driver may use their filters and weighers
  std::string libraries_origin;
  std::map<std::string, OfferSettings> offers;  // by the offer's name
  std::map<std::string, OptionSource> options;
  std::string origin;  // the section's first place
};

struct Settings {
  std::vector<std::string> scheduler_driver{"simple"};
  std::string scheduler_driver_origin = "default";
  std::vector<std::string> driver_directories;  // default: keys.cpp
  bool seal_drivers = true;                     // load a private copy: overwriting the file cannot harm the daemon
  std::map<std::string, DriverSettings> drivers;

  struct Server {
    std::string socket = "/run/gantry/gantry.sock";
    std::uint32_t socket_mode = 0660;
    std::string socket_group;         // empty: the daemon's group
    std::vector<std::string> listen;  // "127.0.0.1:8774"; empty: the unix socket alone
    std::string tls_certificate;      // a PEM file; set together with tls_key or not at all
    std::string tls_key;
    bool require_tokens = true;                  // from clients over TCP
    std::uint32_t workers = 0;                   // 0: one for each processor, at least two
    std::uint32_t max_connections = 16'384;      // on the unix socket, and as many over TCP
    std::uint32_t max_waiting_requests = 4'096;  // read but unanswered requests, without long polls
    std::uint64_t max_header_bytes = 16ULL << 10;
    std::chrono::milliseconds idle_timeout{75'000};     // a connection without a request
    std::chrono::milliseconds receive_timeout{30'000};  // from a request's first byte to its last
    std::chrono::milliseconds request_timeout{30'000};
    std::chrono::milliseconds stop_timeout{30'000};  // for requests under way when the service stops
    std::uint64_t max_body_bytes = 8ULL << 20;
  } server;

  struct Store {
    std::string path = "/var/lib/gantry/gantry.db";
  } store;

  struct Scheduling {
    std::chrono::milliseconds service_down_time{60'000};
    std::chrono::milliseconds claim_max_age{600'000};
    std::chrono::milliseconds call_timeout{10'000};  // a driver's deadline
    std::uint32_t max_attempts = 3;                  // a destination and its alternates
    std::string default_availability_zone = "nova";
    double cpu_allocation_ratio = 16.0;
    double ram_allocation_ratio = 1.5;
    double disk_allocation_ratio = 1.0;
  } scheduling;

  struct Log {
    std::string level = "info";   // debug, info, warning, error
    std::string format = "text";  // text, json
    std::string file;             // empty: standard error
  } log;
};

}  // namespace gantry::config
