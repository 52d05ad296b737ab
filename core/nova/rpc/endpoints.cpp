// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/endpoints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <vector>

namespace gantry::nova {

namespace {

struct Endpoint {
  std::optional<std::string_view> name_space;
  std::string_view version;
  std::vector<std::string_view> methods;
};

const std::array<Endpoint, 2>& endpoints() {
  static const std::array<Endpoint, 2> known{
      Endpoint{std::nullopt,
               "4.5",
               {"select_destinations", "update_aggregates", "delete_aggregate", "update_instance_info",
                "delete_instance_info", "sync_instance_info"}},
      Endpoint{base_namespace, "1.1", {"ping", "get_backdoor_port"}}};
  return known;
}

// Major, minor and revision. The revision may be absent.
std::optional<std::array<int, 3>> parts_of(std::string_view version) {
  std::array<int, 3> parts{};
  std::size_t count = 0;
  while (true) {
    const auto dot = version.find('.');
    const auto part = version.substr(0, dot);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), parts.at(count));
    if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    ++count;
    if (dot == std::string_view::npos) break;
    if (count == parts.size()) return std::nullopt;
    version.remove_prefix(dot + 1);
  }
  if (count < 2) return std::nullopt;
  return parts;
}

}  // namespace

bool is_compatible(std::string_view offered, std::string_view asked) {
  const auto ours = parts_of(offered);
  const auto theirs = parts_of(asked);
  return ours && theirs && (*ours)[0] == (*theirs)[0] && *theirs <= *ours;
}

std::optional<RpcFailure> fault_of_target(const RpcRequest& request) {
  const auto& known = endpoints();
  const auto found = std::find_if(known.begin(), known.end(), [&](const Endpoint& endpoint) {
    return endpoint.name_space == request.name_space && is_compatible(endpoint.version, request.version);
  });
  if (found == known.end()) return unsupported_version(request.version, request.method);
  const auto& methods = found->methods;
  if (std::find(methods.begin(), methods.end(), request.method) == methods.end()) return no_such_method(request.method);
  return std::nullopt;
}

}  // namespace gantry::nova
