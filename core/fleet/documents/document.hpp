// SPDX-License-Identifier: Apache-2.0
//
// A whole fleet written down, as gantry-fleet(5) describes it: read, put into a Fleet, and written of one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/records/records.hpp"
#include "core/result.hpp"

namespace gantry::fleet {

class Fleet;

// One entry: a host's node, or a host without any, and what stands there.
struct DocumentHost {
  std::string topic;
  std::string host;
  std::string node;
  std::optional<Service> service;  // in one entry of a host at most, as capabilities
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
  std::vector<std::string> warnings;  // what can be read and is hardly meant
};

// invalid_argument: `source`, where in it, what was expected and what was found. `now` holds where the text says none.
Result<Document> read_document(std::string_view text, const std::string& source, Nanoseconds now);

// JSON text, a line for each host, instance, claim, aggregate and group.
std::string write_document(const Document& document);

// Puts all of it into a fleet that holds nothing yet.
void load_document(const Document& document, Fleet& fleet);

}  // namespace gantry::fleet
