// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/nova_defaults.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/config/nova/conf.hpp"
#include "core/config/nova/level_defaults.hpp"
#include "core/files/descriptor.hpp"

namespace gantry::config::nova {

namespace {

struct KnownDefault {
  OptionName name;
  std::string_view value;
};

constexpr std::array known_defaults{
    KnownDefault{{"DEFAULT", "pybasedir"}, "/usr/lib/python3/dist-packages"},
    KnownDefault{{"DEFAULT", "bindir"}, "/usr/local/bin"},
    KnownDefault{{"DEFAULT", "state_path"}, "/var/lib/nova"},
    KnownDefault{{"DEFAULT", "instances_path"}, "$state_path/instances"},
    KnownDefault{{"DEFAULT", "tempdir"}, ""},
    KnownDefault{{"DEFAULT", "log_dir"}, ""},
    KnownDefault{{"DEFAULT", "log_file"}, ""},
    KnownDefault{{"DEFAULT", "my_block_storage_ip"}, "$my_ip"},
    KnownDefault{{"DEFAULT", "my_shared_fs_storage_ip"}, "$my_ip"},
    KnownDefault{{"DEFAULT", "console_host"}, "$host"},
    KnownDefault{{"DEFAULT", "osapi_compute_listen"}, "0.0.0.0"},
    KnownDefault{{"DEFAULT", "osapi_compute_listen_port"}, "8774"},
    KnownDefault{{"DEFAULT", "metadata_listen"}, "0.0.0.0"},
    KnownDefault{{"DEFAULT", "metadata_listen_port"}, "8775"},
    KnownDefault{{"DEFAULT", "internal_service_availability_zone"}, "internal"},
    KnownDefault{{"DEFAULT", "default_schedule_zone"}, ""},
    KnownDefault{{"DEFAULT", "control_exchange"}, "nova"},
    KnownDefault{{"DEFAULT", "transport_url"}, "rabbit://"},
    KnownDefault{{"DEFAULT", "rpc_response_timeout"}, "60"},
    KnownDefault{{"DEFAULT", "long_rpc_timeout"}, "1800"},
    KnownDefault{{"DEFAULT", "report_interval"}, "10"},
    KnownDefault{{"oslo_concurrency", "lock_path"}, ""},
    KnownDefault{{"vnc", "server_listen"}, "127.0.0.1"},
    KnownDefault{{"vnc", "server_proxyclient_address"}, "127.0.0.1"},
    KnownDefault{{"vnc", "novncproxy_host"}, "0.0.0.0"},
    KnownDefault{{"vnc", "novncproxy_port"}, "6080"},
    KnownDefault{{"spice", "server_listen"}, "127.0.0.1"},
    KnownDefault{{"spice", "server_proxyclient_address"}, "127.0.0.1"},
    KnownDefault{{"database", "connection"}, ""},
    KnownDefault{{"api_database", "connection"}, ""},
};

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("localhost");
}

// The address from which this machine reaches others, as Nova finds it. Nothing is sent.
std::string own_address() {
  constexpr std::string_view loopback = "127.0.0.1";
  const files::Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(80);
  socklen_t size = sizeof address;
  std::array<char, INET_ADDRSTRLEN> text{};
  if (!socket.is_open() || ::inet_pton(AF_INET, "8.8.8.8", &address.sin_addr) != 1) return std::string(loopback);
  auto* const generic = static_cast<sockaddr*>(static_cast<void*>(&address));
  if (::connect(socket.number(), generic, size) != 0 || ::getsockname(socket.number(), generic, &size) != 0 ||
      ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size()) == nullptr)
    return std::string(loopback);
  return text.data();
}

}  // namespace

std::optional<std::string> default_of(std::string_view section, std::string_view key) {
  if (section == "DEFAULT" && key == "my_ip") return own_address();
  if (section == "DEFAULT" && key == "host") return machine_name();
  const auto* const found = std::ranges::find_if(
      known_defaults, [&](const KnownDefault& one) { return one.name.section == section && one.name.key == key; });
  if (found == known_defaults.end()) return scheduling_default(section, key);
  return std::string(found->value);
}

}  // namespace gantry::config::nova
