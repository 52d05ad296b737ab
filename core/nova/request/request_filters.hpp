// SPDX-License-Identifier: Apache-2.0
//
// Nova's request filters. They edit the RequestSpec before placement is asked.
#pragma once

#include <array>
#include <string_view>

#include "core/nova/request/lookups.hpp"
#include "core/nova/request/options.hpp"
#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct RequestFilter {
  std::string_view name;
  // The property of the releases that have the filter. nullptr: all have it.
  bool QuestionRules::*since;
  // Returns whether the filter is enabled and concerns the request. Fails as Nova's filter does. Fails with unsupported
  // if the filter needs Neutron and `lookups` has no networks().
  Result<bool> (*apply)(RequestSpec& spec, const RequestOptions& options, const RequestLookups& lookups);
};

// The filters of all releases, in the order in which Nova calls them.
extern const std::array<RequestFilter, 14> request_filters;

// Returns whether the release of the options has the filter.
bool has_filter(const RequestOptions& options, const RequestFilter& filter);

// Applies all filters of the release. A RequestFilterFailed becomes NoValidHost, as Nova's scheduler does it.
Result<void> apply_request_filters(RequestSpec& spec, const RequestOptions& options, const RequestLookups& lookups);

}  // namespace gantry::nova
