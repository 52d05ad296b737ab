// SPDX-License-Identifier: Apache-2.0
//
// The documents that the service keeps in its store where an authority has the facts of topic compute: access tokens,
// and the facts of other topics.
#pragma once

#include <string_view>

#include "core/store/store.hpp"

namespace gantry::scheduling {

// Fits into store::PartialStore.
bool is_kept_beside_authority(store::Kind kind, std::string_view key);

}  // namespace gantry::scheduling
