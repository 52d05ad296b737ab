// SPDX-License-Identifier: Apache-2.0
//
// A whole fleet as one JSON document, which gantry-fleet(5) describes: reading and writing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/records/records.hpp"
#include "core/result.hpp"

namespace gantry::fleet {

// One entry: a node of a host, or a host without nodes, with its instances and claims.
struct DocumentHost {
  std::string topic;
  std::string host;
  std::string node;
  std::optional<Service> service;  // in at most one entry of a host; so are capabilities
  std::optional<Capabilities> capabilities;
  std::optional<ComputeNode> compute_node;
  std::vector<Instance> instances;
  std::vector<Claim> claims;
};

struct Document {
  Nanoseconds now = 0;
  std::vector<DocumentHost> hosts;  // in the order of the rows that drivers see
  std::vector<Aggregate> aggregates;
  std::vector<Group> groups;
  std::vector<Instance> instances;    // on no host
  std::vector<std::string> warnings;  // members that are valid but probably a mistake
};

// Parses the text. `now` is used if the text names no time. invalid_argument: the message names `source`, the place in
// it, what was expected and what was found.
Result<Document> read_document(std::string_view text, const std::string& source, Nanoseconds now);

// Returns JSON text with a line for each host, instance, claim, aggregate and group.
std::string write_document(const Document& document);

}  // namespace gantry::fleet
