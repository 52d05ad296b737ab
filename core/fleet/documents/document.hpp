// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes a whole fleet as one JSON document. gantry-fleet(5) describes the document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/records/records.hpp"
#include "core/result.hpp"

namespace gantry::fleet {

// One entry of the document's hosts: a node of a host, or a host without nodes, with its instances and claims.
struct DocumentHost {
  std::string topic;
  std::string host;
  std::string node;
  std::optional<Service> service;  // in at most one entry of each host, as are capabilities
  std::optional<Capabilities> capabilities;
  std::optional<ComputeNode> compute_node;
  std::vector<Instance> instances;
  std::vector<Claim> claims;
};

struct Document {
  Nanoseconds now = 0;
  std::vector<DocumentHost> hosts;  // in the order of a view's rows, then those without a row
  std::vector<Aggregate> aggregates;
  std::vector<Group> groups;
  std::vector<Instance> instances;    // instances on no host
  std::vector<std::string> warnings;  // one sentence for each valid member that is probably a mistake
};

// Parses the text. A document without a time of its own gets `now`. Fails with invalid_argument if the text is not a
// valid document. The message names `source`, the place in the document, what was expected and what was found.
Result<Document> read_document(std::string_view text, const std::string& source, Nanoseconds now);

// Returns JSON text with a line for each host, instance, claim, aggregate and group.
std::string write_document(const Document& document);

}  // namespace gantry::fleet
