// SPDX-License-Identifier: Apache-2.0
//
// The release of Nova and the options of nova.conf that change the question for placement, with their defaults.
#pragma once

#include <cstdint>
#include <optional>

#include "core/nova/request/question_rules.hpp"

namespace gantry::nova {

struct RequestOptions {
  QuestionRules rules = all_questions.back();  // the newest release
  // [scheduler]
  std::optional<std::int64_t> max_placement_results = 1000;  // nullopt: no limit
  bool limit_tenants_to_placement_aggregate = false;
  bool placement_aggregate_required_for_tenants = false;
  bool query_placement_for_availability_zone = true;
  bool query_placement_for_image_type_support = false;
  bool enable_isolated_aggregate_filtering = false;
  bool image_metadata_prefilter = false;
  bool query_placement_for_routed_network_aggregates = false;
  // [workarounds]
  bool disable_fallback_pcpu_query = false;
};

}  // namespace gantry::nova
