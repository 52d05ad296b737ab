// SPDX-License-Identifier: Apache-2.0
//
// Selects the hosts that a request allows, before any filter runs, as Nova's HostManager.get_filtered_hosts does. The
// request may name a destination, ignored hosts, and forced hosts and nodes. Ocata and Zed read the destination, and
// ignore case in the names of ignored and forced hosts, but not in the names of nodes. Icehouse does neither. A
// destination binds the node too; only in Zed, a node that is null or empty stands for any node of the host.
#pragma once

#include <cstdint>
#include <gantry/driver/bitmap.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hosts/host_table.hpp"
#include "nova/options.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

struct host_selection {
  std::vector<std::uint64_t> rows;  // bitmap of the hosts that the request allows
  // True if no filter may run, because the request forces hosts or nodes. From Ocata on, filters run nevertheless if
  // the request has the hint _nova_check_type: Nova then checks a host for an instance that exists already.
  bool skips_filters = false;
};

// Selects among the rows of `eligible`, as gantry::request::eligible returns them. Throws gantry::failure with
// invalid_argument where Nova (Ocata, Zed) raises an exception: if the destination sets its host but not its node, or if
// scheduler_hints is null and the request forces or ignores hosts.
host_selection select_hosts(const host_table& hosts, const request_facts& request, release compatibility,
                            const std::optional<gantry::bits>& eligible = std::nullopt);

// Returns why select_hosts() selects no host, for a request of which it selects none.
std::string why_none_selected(const host_table& hosts, const request_facts& request, release compatibility,
                              const std::optional<gantry::bits>& eligible);
// Returns why select_hosts() leaves hosts out: "the request ignores them", or "it" of one host.
std::string why_left_out(const request_facts& request, bool of_several = true);

}  // namespace filter_driver
