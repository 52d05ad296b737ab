// SPDX-License-Identifier: Apache-2.0
//
// Hides what may be a secret in a document for people: values under names such as password, and credentials in URLs.
#pragma once

#include <string>
#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

// Replaces, at any depth, each text under a member whose name speaks of a secret, and the credentials of each URL in any
// other text, by "****".
void hide_secrets(json::value& document);

// Returns the text with the credentials of each URL in it replaced: "rabbit://****@host".
std::string without_credentials(std::string_view text);

}  // namespace gantry::scheduling
