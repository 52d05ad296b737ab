// SPDX-License-Identifier: Apache-2.0
#include "pci/requests.hpp"

#include <algorithm>

#include "nova/object.hpp"
#include "python/blanks.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;

std::optional<raised> read_specifications(const json::value* list, pci_request& request) {
  request.has_specifications = list != nullptr;
  if (list == nullptr) return std::nullopt;
  if (!list->is_array()) return unreadable("InstancePCIRequest.spec", "a list");
  request.specifications.reserve(list->get_array().size());
  for (const json::value& element : list->get_array()) {
    const json::object* specification = element.if_object();
    if (specification == nullptr) return unreadable("InstancePCIRequest.spec", "a list of objects");
    std::vector<pci_value>& values = request.specifications.emplace_back();
    values.reserve(specification->size());
    for (const auto& [key, value] : *specification) values.push_back(comparable(key, value));
    const json::value* type = specification->if_contains("dev_type");
    const auto is_type = [&](std::string_view name) {
      return type != nullptr && type->is_string() && type->get_string() == name;
    };
    request.wants_pf = request.wants_pf || is_type("type-PF");
    request.wants_vdpa = request.wants_vdpa || is_type("vdpa");
    request.wants_remote_managed =
        request.wants_remote_managed || is_true_text(specification->if_contains("remote_managed"));
  }
  const auto all_say = [&](std::string_view text) {
    return std::all_of(list->get_array().begin(), list->get_array().end(), [&](const json::value& each) {
      const json::value* const said = each.get_object().if_contains("live_migratable");
      return said != nullptr && said->is_string() && said->get_string() == text;
    });
  };
  request.wants_migratable = all_say("true");
  request.wants_unmigratable = !request.wants_migratable && all_say("false");
  if (list->get_array().empty()) return std::nullopt;
  const json::value* const providers = list->get_array().front().get_object().if_contains("rp_uuids");
  if (providers == nullptr || !providers->is_string() || providers->get_string().empty()) return std::nullopt;
  for (const std::string_view each : parts_of(std::string_view(providers->get_string()), ','))
    request.providers.emplace_back(each);
  return std::nullopt;
}

outcome<pci_request> read_request(const json::value& element) {
  const json::object* fields = nova_fields(element);
  if (fields == nullptr) return unreadable("an InstancePCIRequest", "an object");
  pci_request request;
  const json::value* count = nova_field(*fields, "count");
  const std::optional<std::int64_t> number = count == nullptr ? std::nullopt : nova_integer(*count);
  if (!number || *number < 0 || *number > most_pci_devices) {
    return unreadable("InstancePCIRequest.count", "a whole number from 0 to a thousand million");
  }
  request.count = *number;
  if (std::optional<raised> wrong = read_specifications(nova_field(*fields, "spec"), request)) return *wrong;
  request.is_of_flavor = nova_field(*fields, "alias_name") != nullptr;
  request.id = nova_text(*fields, "request_id").value_or("");
  if (const json::value* policy = nova_field(*fields, "numa_policy")) {
    const std::string_view name = policy->is_string() ? std::string_view(policy->get_string()) : std::string_view("?");
    if (name == "preferred") {
      request.numa_policy = pci_numa_policy::preferred;
    } else if (name == "required") {
      request.numa_policy = pci_numa_policy::required;
    } else if (name == "socket") {
      request.numa_policy = pci_numa_policy::socket;
    } else if (name != "legacy" && !name.empty()) {
      return unreadable("InstancePCIRequest.numa_policy = " + json::serialize(*policy),
                        "legacy, preferred, required or socket");
    }
  }
  request.fields = *fields;
  request.fields.erase("_object");
  return request;
}

}  // namespace

outcome<pci_requests> read_pci_requests(const json::value& value) {
  pci_requests requests;
  if (value.is_null()) return requests;
  const json::object* fields = nova_fields(value);
  const json::value* list = fields == nullptr ? &value : nova_field(*fields, "requests");
  if (list == nullptr) return requests;
  if (!list->is_array()) return unreadable("pci_requests", "a list");
  requests.reserve(list->get_array().size());
  for (const json::value& element : list->get_array()) {
    outcome<pci_request> request = read_request(element);
    if (!request) return request.error();
    requests.push_back(std::move(*request));
  }
  return requests;
}

json::array to_json(const pci_requests& requests) {
  json::array list;
  list.reserve(requests.size());
  for (const pci_request& request : requests) {
    list.push_back(nova_object("InstancePCIRequest", "1.4", request.fields));
  }
  return list;
}

}  // namespace filter_driver
