// SPDX-License-Identifier: Apache-2.0
//
// What is learned of one view and holds for later ones.
#pragma once

#include "hosts/column_places.hpp"
#include "hosts/document_cache.hpp"

namespace filter_driver {

// [any thread]
struct view_memory {
  document_cache documents;
  column_places places;
};

}  // namespace filter_driver
