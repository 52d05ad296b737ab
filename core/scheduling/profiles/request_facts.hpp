// SPDX-License-Identifier: Apache-2.0
//
// The facts of a request that profiles ask for.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"
#include "core/scheduling/request/request_spec.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

// Points into what it was made from. A fact that the request does not have is empty or nullptr.
struct RequestFacts {
  std::string_view flavor;
  std::string_view project;
  std::string_view availability_zone;
  std::string_view group_policy;
  const json::object* hints = nullptr;        // scheduler_hints: a text or a list of texts each
  const json::object* destination = nullptr;  // requested_destination, whose `aggregates` the request requires
  const gantry_view* view = nullptr;          // the view of topic compute, which has the names of aggregates
};

// `group`: the request's server group, nullptr if it has none. `project`: of the caller, for a request that names none.
RequestFacts facts_of(const RequestSpec& spec, const RequestedGroup* group, std::string_view project,
                      const gantry_view* view);
// Reads the facts from the arguments of select_destinations or schedule_run_instance as a transport has read them, without
// those of a server group that has to be looked up and without a view.
RequestFacts facts_of(const json::object& args, const json::object& context);

}  // namespace gantry::scheduling
