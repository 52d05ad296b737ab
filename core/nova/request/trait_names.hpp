// SPDX-License-Identifier: Apache-2.0
//
// Names of os-traits that Nova computes from a request and looks up before use.
#pragma once

#include <string_view>

namespace gantry::nova {

// Returns whether os-traits 2.9.0, which Zed comes with, has the trait. Knows the names that begin with
// COMPUTE_IMAGE_TYPE, COMPUTE_STORAGE_BUS, COMPUTE_GRAPHICS_MODEL, COMPUTE_NET_VIF_MODEL, COMPUTE_ARCH, COMPUTE_VIOMMU
// and HW_ARCH.
bool is_trait_of_zed(std::string_view name);

}  // namespace gantry::nova
