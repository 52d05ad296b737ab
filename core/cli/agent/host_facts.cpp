// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/host_facts.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::cli::agent {

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// "MemTotal:       16384 kB" -> 16384; nullopt: no such line.
std::optional<std::int64_t> kib_of(std::string_view meminfo, std::string_view key) {
  std::size_t at = meminfo.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  at = meminfo.find_first_of("0123456789", at + key.size());
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  std::from_chars(meminfo.data() + at, meminfo.data() + meminfo.size(), value);
  return value;
}

// The address that a packet to the outside would carry; nothing is sent.
std::string outward_address() {
  const files::Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return "127.0.0.1";
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(53);
  ::inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);
  socklen_t size = sizeof address;
  char text[INET_ADDRSTRLEN] = "127.0.0.1";
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
      ::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) == 0)
    ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return text;
}

Result<void> read_disk(const std::string& path, HostFacts& facts) {
  struct statvfs disk {};
  if (::statvfs(path.c_str(), &disk) != 0)
    return Error{
        ErrorCode::internal,
        "--disk-path " + path + ": expected a path on the instances' file system, found: " + files::errno_text(errno),
        ""};
  constexpr std::uint64_t gb = std::uint64_t{1} << 30u;
  const std::uint64_t block = disk.f_frsize;
  facts.local_gb = static_cast<std::int64_t>(disk.f_blocks * block / gb);
  facts.local_gb_used = static_cast<std::int64_t>((disk.f_blocks - disk.f_bfree) * block / gb);
  facts.disk_available_least = static_cast<std::int64_t>(disk.f_bavail * block / gb);
  return {};
}

std::string architecture() {
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "unknown";
}

}  // namespace

Result<HostFacts> parse_memory(std::string_view meminfo) {
  const auto total = kib_of(meminfo, "MemTotal:");
  const auto available = kib_of(meminfo, "MemAvailable:");
  if (!total || !available)
    return Error{ErrorCode::internal, "/proc/meminfo: expected lines MemTotal and MemAvailable, found none", ""};
  HostFacts facts;
  facts.memory_mb = *total / 1024;
  facts.memory_mb_used = (*total - *available) / 1024;
  return facts;
}

json::object parse_cpu_info(std::string_view cpuinfo, const std::string& architecture) {
  std::set<std::string> sockets;
  std::set<std::string> cores;
  std::string vendor;
  std::string model;
  std::string socket;
  json::array features;
  std::int64_t threads = 0;
  std::istringstream lines{std::string(cpuinfo)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    if (key == "processor")
      ++threads;
    else if (key == "vendor_id")
      vendor = value;
    else if (key == "model name")
      model = value;
    else if (key == "physical id")
      sockets.insert(socket = value);
    else if (key == "core id")
      cores.insert(socket + "/" + value);
    else if (key == "flags" && features.empty()) {
      std::istringstream words(value);
      for (std::string word; words >> word;) features.emplace_back(word);
    }
  }
  const auto socket_count = std::max<std::int64_t>(1, static_cast<std::int64_t>(sockets.size()));
  const auto core_count = std::max<std::int64_t>(1, static_cast<std::int64_t>(cores.size()));
  return {{"arch", architecture},
          {"vendor", vendor},
          {"model", model},
          {"features", features},
          {"topology", json::object{{"sockets", socket_count},
                                    {"cores", std::max<std::int64_t>(1, core_count / socket_count)},
                                    {"threads", std::max<std::int64_t>(1, threads / core_count)}}}};
}

Result<HostFacts> read_host_facts(const std::string& disk_path) {
  auto facts = parse_memory(content_of("/proc/meminfo"));
  if (!facts) return facts;
  facts->vcpus = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
  if (auto disk = read_disk(disk_path, *facts); !disk) return std::move(disk).error();
  const std::string arch = architecture();
  facts->cpu_info = parse_cpu_info(content_of("/proc/cpuinfo"), arch);
  facts->hypervisor_type = "QEMU";
  if (::access("/dev/kvm", F_OK) == 0)
    facts->supported_instances.emplace_back(json::array{json::value(arch), json::value("kvm"), json::value("hvm")});
  facts->supported_instances.emplace_back(json::array{json::value(arch), json::value("qemu"), json::value("hvm")});
  facts->host_ip = outward_address();
  return facts;
}

std::int64_t steady_use(std::int64_t used, std::int64_t before, std::int64_t total) {
  const auto margin = total / 100;
  if (used <= before && used >= before - margin) return before;
  return std::max(used, std::min(total, used + margin / 2));
}

json::object to_stats(const HostFacts& facts, const IdleUse& idle, const InstanceUse& instances,
                      const std::string& hostname) {
  const std::int64_t memory_used = std::max(facts.memory_mb_used, idle.memory_mb + instances.memory_mb);
  const std::int64_t disk_used = std::max(facts.local_gb_used, idle.disk_gb + instances.disk_gb);
  const std::int64_t disk_free = facts.local_gb - disk_used;
  return {{"vcpus", facts.vcpus},
          {"vcpus_used", instances.vcpus},
          {"memory_mb", facts.memory_mb},
          {"memory_mb_used", memory_used},
          {"free_ram_mb", facts.memory_mb - memory_used},
          {"local_gb", facts.local_gb},
          {"local_gb_used", disk_used},
          {"free_disk_gb", disk_free},
          {"disk_available_least", std::min(facts.disk_available_least, disk_free)},
          {"running_vms", instances.count},
          {"current_workload", 0},
          {"hypervisor_type", facts.hypervisor_type},
          {"hypervisor_hostname", hostname},
          {"host_ip", facts.host_ip},
          {"cpu_info", facts.cpu_info},
          {"supported_instances", facts.supported_instances}};
}

}  // namespace gantry::cli::agent
