// SPDX-License-Identifier: Apache-2.0
//
// Names of os-traits that Nova computes from a request and looks up before use.
#pragma once

#include <string_view>

#include "core/nova/request/question_rules.hpp"

namespace gantry::nova {

// Returns whether os-traits has the trait in the version that the release comes with, 2.9.0 in Zed. Knows the names that
// begin with COMPUTE_IMAGE_TYPE, COMPUTE_STORAGE_BUS, COMPUTE_GRAPHICS_MODEL, COMPUTE_NET_VIF_MODEL, COMPUTE_ARCH, COMPUTE_VIOMMU
// and HW_ARCH.
bool is_known_trait(std::string_view name, const QuestionRules& rules);

}  // namespace gantry::nova
