// SPDX-License-Identifier: Apache-2.0
//
// Tells the release of a deployment by what its databases show. Not every release can be told from its neighbour.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/nova/request/nova_release.hpp"

namespace gantry::nova {

// Services of one binary and one version, of all databases.
struct RunningServices {
  std::string binary;
  std::int64_t version = 0;
  std::vector<std::string> hosts;
};

struct CellSchema {
  std::string place;            // "nova_cell1 at db1:3306"
  std::string revision;         // as alembic_version has it; empty: cannot be read
  bool has_compute_id = false;  // the column instances.compute_id, which came with Bobcat
};

struct LevelSigns {
  std::vector<RunningServices> services;
  std::vector<CellSchema> schemas;
  std::set<std::int64_t> stored_images;  // the n of ImageMetaProps 1.n in the requests that were stored last
};

struct FoundLevel {
  const NovaRelease* level = nullptr;  // nullptr: the services are older than Zed's, or there are none
  // The releases that the signs do not tell apart, the oldest first. `level` is the first.
  std::vector<const NovaRelease*> could_be;
  std::vector<std::string> signs;  // a sentence for each sign, in the order in which it counts
};

FoundLevel found_level(const LevelSigns& signs);

}  // namespace gantry::nova
