// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/kept_beside_authority.hpp"

#include <algorithm>

namespace gantry::scheduling {

namespace {

bool is_of_another_topic(std::string_view key) {
  return !key.starts_with("compute/");
}

std::string_view after_slash(std::string_view key) {
  return key.substr(std::min(key.find('/'), key.size() - 1) + 1);
}

}  // namespace

bool is_kept_beside_authority(store::Kind kind, std::string_view key) {
  using enum store::Kind;
  switch (kind) {
    case service:
    case compute_node:
    case capabilities: return is_of_another_topic(key);
    // The topic stands behind the kind of the document, or behind the consumer.
    case heartbeat:
    case claim: return !key.empty() && is_of_another_topic(after_slash(key));
    case aggregate:
    case group:
    case instance: return false;
    case cast:
    case idempotency:
    case token: return true;
  }
  return false;
}

}  // namespace gantry::scheduling
