// SPDX-License-Identifier: Apache-2.0
//
// Decisions of real Nova, recorded as JSON lines, put to the filter driver's own code, and to the core's for placement.
// One checker a kind.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace filter_driver::parity {

struct verdict {
  enum kind { agreed, differed, not_ours, not_judged } what = agreed;
  std::string why = {};  // how a record differs, or why it cannot be judged
};

// True where the record says that Nova raised.
inline bool raises(const boost::json::object& record) {
  return record.at("expected").as_object().contains("raises");
}

verdict check_filter(const boost::json::object& record);
verdict check_extra_specs_match(const boost::json::object& record);
verdict check_filter_pipeline(const boost::json::object& record);
verdict check_weigher_raw(const boost::json::object& record);
verdict check_normalize(const boost::json::object& record);
verdict check_weigh_pipeline(const boost::json::object& record);
verdict check_numa_fit(const boost::json::object& record);
verdict check_numa_usage(const boost::json::object& record);
verdict check_pci_support_requests(const boost::json::object& record);
verdict check_pci_apply_requests(const boost::json::object& record);
verdict check_consume(const boost::json::object& record);
verdict check_host_state_update(const boost::json::object& record);
verdict check_schedule(const boost::json::object& record);
verdict check_placement_client(const boost::json::object& record);
verdict check_request_filter(const boost::json::object& record);
verdict check_resource_request(const boost::json::object& record);
verdict check_resources_from_request_spec(const boost::json::object& record);

}  // namespace filter_driver::parity
