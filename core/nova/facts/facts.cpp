// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/facts.hpp"

namespace gantry::nova {

std::string text_of(const Complaint& complaint) {
  std::string text = complaint.table + " id " + std::to_string(complaint.id);
  if (!complaint.host.empty() || !complaint.node.empty()) {
    text += " (host " + (complaint.host.empty() ? "not known" : complaint.host);
    if (!complaint.node.empty()) text += ", node " + complaint.node;
    text += ")";
  }
  text += ": column " + complaint.column + ": " + complaint.reason;
  return text + (complaint.passes_host_over ? "; the host is passed over" : "; left out");
}

}  // namespace gantry::nova
