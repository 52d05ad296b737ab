// SPDX-License-Identifier: Apache-2.0
#include "decision/classes/request_class.hpp"

#include <algorithm>
#include <utility>

#include "nova/object.hpp"
#include "numa/topology_json.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

constexpr std::size_t most_filters = 200;

// Returns true if the value has a request for a device, or cannot be read.
bool asks_for_devices(const json::value& pci_requests) {
  if (pci_requests.is_null()) return false;
  const auto* const fields = nova_fields(pci_requests);
  const auto* const requests = fields == nullptr ? nullptr : fields->if_contains("requests");
  const auto* const list = requests == nullptr ? nullptr : nova_elements(*requests);
  return list == nullptr || !list->empty();
}

bool is_of_a_kind(const request_facts& facts) {
  const bool names_hosts = facts.destination || !facts.force_hosts.empty() || !facts.force_nodes.empty() ||
                           !facts.ignore_hosts.empty() || (facts.retry_hosts && !facts.retry_hosts->empty());
  const bool hints = facts.hints_are_none || (facts.hints && !facts.hints->empty());
  return facts.flavor && !facts.group && !names_hosts && !hints && !asks_for_devices(facts.pci_requests);
}

// Returns the cells as text, without the instance's uuid. Empty optional if the value is not a topology.
std::optional<std::string> cells_of(const json::value& numa_topology) {
  if (numa_topology.is_null()) return std::string();
  const auto read = read_instance_topology(numa_topology);
  if (!read) return std::nullopt;
  return *read ? json::serialize(to_json(**read)) : std::string();
}

bool read_rows_alone(const policy& rules) {
  const auto& filters = rules.filters();
  const auto& weighers = rules.weighers();
  return filters.size() <= most_filters &&
         std::all_of(filters.begin(), filters.end(),
                     [](const auto& each) { return each.rule->make != nullptr && !each.rule->reads_beyond_row; }) &&
         std::all_of(weighers.begin(), weighers.end(), [](const auto& each) { return each.rule->make != nullptr; });
}

class class_key {
 public:
  class_key() { text_.reserve(512); }

  class_key& operator<<(std::string_view text) {
    *this << text.size();
    text_.append(text);
    return *this;
  }
  template <class Number>
  requires std::is_integral_v<Number> class_key& operator<<(Number number) {
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  template <class Value>
  class_key& operator<<(const std::optional<Value>& value) {
    *this << value.has_value();
    return value ? *this << *value : *this;
  }
  class_key& operator<<(const std::vector<std::pair<std::string, std::string>>& pairs) {
    *this << pairs.size();
    for (const auto& [name, value] : pairs) *this << name << value;
    return *this;
  }
  class_key& operator<<(const flavor_facts& flavor) {
    return *this << flavor.id << flavor.name << flavor.vcpus << flavor.memory_mb << flavor.root_gb
                 << flavor.ephemeral_gb << flavor.swap << flavor.extra_specs;
  }
  class_key& operator<<(const image_facts& image) {
    *this << image.id << image.properties.size();
    for (const auto& [name, value] : image.properties) {
      *this << name << value.is_string();
      if (value.is_string())
        *this << std::string_view(value.get_string());
      else
        *this << json::serialize(value);
    }
    return *this;
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::optional<std::string> class_of(const gantry::request& request, const request_facts& facts, const policy& rules) {
  const auto view = request.view();
  if (view.generation() == 0 || request.explain_hosts() != gantry::explain_hosts::none || !is_of_a_kind(facts) ||
      !read_rows_alone(rules))
    return std::nullopt;
  const auto cells = cells_of(facts.numa_topology);
  if (!cells) return std::nullopt;
  class_key made;
  made << view.topic() << facts.flavor << facts.image << facts.project_id << facts.availability_zone << facts.image_ref
       << facts.is_bfv << facts.hints.has_value() << *cells
       << (facts.network_metadata.is_null() ? std::string() : json::serialize(facts.network_metadata));
  return made.take();
}

}  // namespace filter_driver
