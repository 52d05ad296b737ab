// SPDX-License-Identifier: Apache-2.0
#include "nova/image_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "nova/image_names.hpp"
#include "python/blanks.hpp"
#include "python/python_text.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;
using value_text = std::optional<std::string>;  // nullopt: Nova refuses the value

constexpr auto booleans = std::to_array<std::string_view>({"hw_boot_menu",
                                                           "hw_firmware_stateless",
                                                           "hw_ipxe_boot",
                                                           "hw_locked_memory",
                                                           "hw_mem_encryption",
                                                           "hw_pmu",
                                                           "hw_qemu_guest_agent",
                                                           "hw_time_hpet",
                                                           "hw_vif_multiqueue_enabled",
                                                           "hw_ephemeral_encryption",
                                                           "hw_virtio_packed_ring",
                                                           "img_bittorrent",
                                                           "img_bdm_v2",
                                                           "img_cache_in_nova",
                                                           "img_linked_clone",
                                                           "img_use_agent",
                                                           "img_hide_hypervisor_id",
                                                           "os_require_quiesce",
                                                           "os_skip_agent_inject_files_at_boot",
                                                           "os_skip_agent_inject_ssh"});

constexpr auto integers = std::to_array<std::string_view>(
    {"hw_cpu_cores", "hw_cpu_sockets", "hw_cpu_max_cores", "hw_cpu_max_sockets", "hw_cpu_max_threads", "hw_cpu_threads",
     "hw_device_id", "hw_numa_nodes", "hw_serial_port_count", "hw_video_ram", "hw_maxphysaddr_bits",
     "hw_redirected_usb_ports", "img_compression_level", "img_version"});

struct renamed {
  std::string_view former;
  std::string_view present;
};

constexpr auto former_names =
    std::to_array<renamed>({{"architecture", "hw_architecture"},
                            {"owner_id", "img_owner_id"},
                            {"vmware_disktype", "hw_disk_type"},
                            {"vmware_image_version", "img_version"},
                            {"vmware_ostype", "os_distro"},
                            {"auto_disk_config", "hw_auto_disk_config"},
                            {"ipxe_boot", "hw_ipxe_boot"},
                            {"xenapi_device_id", "hw_device_id"},
                            {"xenapi_image_compression_level", "img_compression_level"},
                            {"vmware_linked_clone", "img_linked_clone"},
                            {"xenapi_use_agent", "img_use_agent"},
                            {"xenapi_skip_agent_inject_ssh", "os_skip_agent_inject_ssh"},
                            {"xenapi_skip_agent_inject_files_at_boot", "os_skip_agent_inject_files_at_boot"},
                            {"cache_in_nova", "img_cache_in_nova"},
                            {"vm_mode", "hw_vm_mode"},
                            {"bittorrent", "img_bittorrent"},
                            {"bdm_v2", "img_bdm_v2"},
                            {"root_device_name", "img_root_device_name"},
                            {"hypervisor_version_requires", "img_hv_requested_version"},
                            {"hypervisor_type", "img_hv_type"}});

constexpr auto interface_models = std::to_array<renamed>({{"virtuale1000", "e1000"},
                                                          {"virtuale1000e", "e1000e"},
                                                          {"virtualpcnet32", "pcnet"},
                                                          {"virtualsriovethernetcard", "sriov"},
                                                          {"virtualvmxnet", "vmxnet"},
                                                          {"virtualvmxnet3", "vmxnet3"}});
constexpr auto disk_models = std::to_array<renamed>({{"lsilogicsas", "lsisas1068"}, {"paravirtual", "vmpvscsi"}});

// Nova does not read these of an instance.
constexpr auto not_of_instances =
    std::to_array<std::string_view>({"mappings", "block_device_mapping", "img_mappings", "img_block_device_mapping",
                                     "min_ram", "min_disk", "disk_format", "container_format"});

constexpr std::string_view trait_prefix = "trait:";
constexpr std::string_view memory_prefix = "hw_numa_mem.";
constexpr std::string_view cpus_prefix = "hw_numa_cpus.";
constexpr std::size_t most_numa_nodes = 128;
constexpr std::int64_t greatest_cpu = 65535;

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string in_lower_case(std::string_view value) {
  std::string lower(value);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

template <class Names>
value_text in_lower_case_by(const Names& names, std::string_view value) {
  auto lower = in_lower_case(value);
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.former == lower; });
  return found == names.end() ? lower : std::string(found->present);
}

value_text known_name(const outcome<std::string>& read) {
  return read.ok() ? value_text(read.value()) : std::nullopt;
}

value_text boolean_of(const json::value& value) {
  constexpr auto yes = std::to_array<std::string_view>({"1", "t", "true", "on", "y", "yes"});
  return is_one_of(yes, in_lower_case(without_blanks(str_of(value)))) ? "True" : "False";
}

std::optional<std::int64_t> integer_in(std::string_view value) {
  value = without_blanks(value);
  if (value.starts_with('+') && !value.starts_with("+-")) value.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (problem != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

value_text integer_of(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? "1" : "0";
  const auto number = integer_in(str_of(value));
  return number ? value_text(std::to_string(*number)) : std::nullopt;
}

using cpus = std::set<std::int64_t>;

std::string text_of(const cpus& set) {
  std::string shown;
  for (const auto cpu : set) shown += (shown.empty() ? "" : ",") + std::to_string(cpu);
  return "{" + shown + "}";
}

// Reads "0-3,^2,8".
std::optional<cpus> cpus_in(std::string_view spec) {
  cpus within, without;
  while (!spec.empty()) {
    const auto comma = std::min(spec.find(','), spec.size());
    auto part = without_blanks(spec.substr(0, comma));
    spec.remove_prefix(std::min(comma + 1, spec.size()));
    if (part.empty()) continue;
    const bool is_left_out = part.starts_with('^');
    if (is_left_out) part.remove_prefix(1);
    const auto hyphen = part.find('-', 1);
    const auto first = integer_in(part.substr(0, hyphen));
    const auto last = hyphen == std::string_view::npos ? first : integer_in(part.substr(hyphen + 1));
    if (!first || !last || *first < 0 || *last > greatest_cpu || *first > *last) return std::nullopt;
    for (auto cpu = *first; cpu <= *last; ++cpu) (is_left_out ? without : within).insert(cpu);
  }
  for (const auto cpu : without) within.erase(cpu);
  return within;
}

std::string shown_list(const std::vector<std::string>& items) {
  std::string shown;
  for (const auto& item : items) shown += (shown.empty() ? "" : ", ") + item;
  return "[" + shown + "]";
}

// Returns the text of a list that the object holds as a list.
value_text list_of(std::string_view name, const json::array& list) {
  std::vector<std::string> items;
  for (const auto& item : list) {
    if (name == "hw_numa_cpus" && item.is_array()) {
      cpus set;
      for (const auto& cpu : item.get_array()) {
        if (cpu.is_int64()) set.insert(cpu.get_int64());
      }
      items.push_back(text_of(set));
    } else {
      items.push_back(str_of(item));
    }
  }
  if (name == "traits_required") std::sort(items.begin(), items.end());
  return shown_list(items);
}

value_text value_of(std::string_view name, const json::value& value) {
  if (const auto* const list = value.if_array()) return list_of(name, *list);
  if (is_one_of(booleans, name)) return boolean_of(value);
  if (is_one_of(integers, name)) return integer_of(value);
  auto plain = str_of(value);
  if (name == "hw_architecture" || name == "hw_emulation_architecture") return known_name(architecture_named(plain));
  if (name == "img_hv_type") return known_name(hypervisor_type_named(plain));
  if (name == "hw_vm_mode") return known_name(vm_mode_named(plain));
  if (name == "os_type") return in_lower_case(plain);
  if (name == "hw_scsi_model") return in_lower_case_by(disk_models, plain);
  if (name == "hw_vif_model") return in_lower_case_by(interface_models, plain);
  return plain;
}

void put(image_values& values, std::string_view name, const json::value& value) {
  if (value.is_null()) return;
  if (auto read = value_of(name, value)) values.insert_or_assign(std::string(name), *std::move(read));
}

void put_former_names(image_values& values, const json::object& properties) {
  for (const auto& [former, present] : former_names) {
    if (const auto* const value = properties.if_contains(former)) put(values, present, *value);
  }
  const auto* const adapter = properties.if_contains("vmware_adaptertype");
  if (adapter == nullptr || !adapter->is_string() || adapter->get_string().empty()) return;
  const bool is_ide = adapter->get_string() == "ide";
  values.insert_or_assign("hw_disk_bus", is_ide ? "ide" : "scsi");
  if (!is_ide) put(values, "hw_scsi_model", *adapter);
}

// Joins the values under PREFIX.0, PREFIX.1 and so on. `read` reads one value.
template <class Read>
void put_numbered(image_values& values, const json::object& properties, std::string_view prefix, Read read) {
  std::vector<std::string> items;
  for (std::size_t node = 0; node < most_numa_nodes; ++node) {
    const auto* const value = properties.if_contains(std::string(prefix) + std::to_string(node));
    if (value == nullptr) break;
    auto item = read(str_of(*value));
    if (!item) return;
    items.push_back(*std::move(item));
  }
  if (!items.empty()) values.insert_or_assign(std::string(prefix.substr(0, prefix.size() - 1)), shown_list(items));
}

bool is_another_form(std::string_view name) {
  return name.starts_with(trait_prefix) || name.starts_with(memory_prefix) || name.starts_with(cpus_prefix) ||
         name == "vmware_adaptertype" ||
         std::any_of(former_names.begin(), former_names.end(),
                     [name](const auto& each) { return each.former == name; });
}

}  // namespace

image_values read_image_values(const json::object& properties) {
  image_values values;
  put_former_names(values, properties);
  std::vector<std::string> traits;
  for (const auto& [name, value] : properties) {
    if (!is_another_form(name)) put(values, name, value);
    if (std::string_view(name).starts_with(trait_prefix) && str_of(value) == "required")
      traits.emplace_back(std::string_view(name).substr(trait_prefix.size()));
  }
  std::sort(traits.begin(), traits.end());
  if (!traits.empty()) values.insert_or_assign("traits_required", shown_list(traits));
  put_numbered(values, properties, memory_prefix, [](const std::string& value) -> value_text {
    const auto number = integer_in(value);
    return number ? value_text(std::to_string(*number)) : std::nullopt;
  });
  put_numbered(values, properties, cpus_prefix, [](const std::string& value) -> value_text {
    const auto set = cpus_in(value);
    return set ? value_text(text_of(*set)) : std::nullopt;
  });
  return values;
}

image_counts read_image_counts(const json::value& cell) {
  image_counts counts;
  const auto* const list = cell.if_array();
  if (list == nullptr) return counts;
  for (const auto& entry : *list) {
    const auto* const pair = entry.if_array();
    if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_int64() || !(*pair)[1].is_object()) continue;
    const auto instances = static_cast<std::uint64_t>((*pair)[0].get_int64());
    for (const auto& [name, value] : read_image_values((*pair)[1].get_object())) {
      if (!is_one_of(not_of_instances, name)) counts[name][value] += instances;
    }
  }
  return counts;
}

}  // namespace filter_driver
