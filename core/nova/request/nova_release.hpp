// SPDX-License-Identifier: Apache-2.0
//
// The releases of Nova that Gantry takes the place of nova-scheduler in, as one table: by which signs a deployment shows
// its release, and which computes a release works with. The values are those of nova/objects/service.py and of the newest
// migration in nova/db/main at the last tag of each series.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gantry::nova {

struct NovaRelease {
  std::string_view level;  // as the option compatibility has it: "epoxy"
  std::string_view title;  // "Nova 31 (Epoxy)"
  // The release's services write it into the column version of the table services.
  std::int64_t service_version = 0;
  // The least service version of nova-compute with which the release's services start, and the release that Nova names
  // for it.
  std::int64_t oldest_compute_version = 0;
  std::string_view oldest_compute;
  // The revision of the release's cell databases, as their table alembic_version has it.
  std::string_view cell_schema;
  // The n of ImageMetaProps 1.n, which the release stores in the API database's table request_specs.
  std::int64_t stored_image = 0;
};

// The oldest first.
inline constexpr std::array<NovaRelease, 9> nova_releases{{
    {"zed", "Nova 26 (Zed)", 64, 61, "Nova 25 (Yoga)", "ccb0fa1a2252", 34},
    {"antelope", "Nova 27 (Antelope)", 66, 61, "Nova 25 (Yoga)", "960aac0e09ea", 34},
    {"bobcat", "Nova 28 (Bobcat)", 66, 66, "Nova 27 (Antelope)", "1acf2c98e646", 34},
    {"caracal", "Nova 29 (Caracal)", 67, 66, "Nova 27 (Antelope)", "13863f4e1612", 37},
    {"dalmatian", "Nova 30 (Dalmatian)", 67, 66, "Nova 29 (Caracal)", "13863f4e1612", 38},
    {"epoxy", "Nova 31 (Epoxy)", 68, 66, "Nova 29 (Caracal)", "2903cd72dc14", 39},
    {"flamingo", "Nova 32 (Flamingo)", 70, 68, "Nova 31 (Epoxy)", "2903cd72dc14", 42},
    {"gazpacho", "Nova 33 (Gazpacho)", 72, 68, "Nova 31 (Epoxy)", "2903cd72dc14", 42},
    {"hibiscus", "Nova 34 (Hibiscus)", 74, 72, "Nova 33 (Gazpacho)", "ab450ba04102", 44},
}};

// Returns the release of a level. The newest for a name that the table lacks.
constexpr const NovaRelease& nova_release(std::string_view level) {
  for (const auto& each : nova_releases)
    if (each.level == level) return each;
  return nova_releases.back();
}

}  // namespace gantry::nova
