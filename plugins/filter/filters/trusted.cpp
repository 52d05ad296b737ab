// SPDX-License-Identifier: Apache-2.0
//
// TrustedFilter (Icehouse to Pike): a flavor whose trust:trusted_host asks for a level runs on hosts that an
// attestation service gives that level. A driver asks no service over the network, so such a request is refused; all
// others pass.
#include <algorithm>
#include <gantry/driver/failure.hpp>

#include "filters/filters.hpp"

namespace filter_driver {

namespace {

class trusted final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& flavor = asked.request.flavor;
    if (!flavor || !flavor->extra_specs) return nullptr;
    const auto& specs = *flavor->extra_specs;
    const auto level =
        std::find_if(specs.begin(), specs.end(), [](const auto& spec) { return spec.first == "trust:trusted_host"; });
    if (level == specs.end() || level->second.empty()) return nullptr;
    throw gantry::failure(gantry::code::invalid_argument,
                          "TrustedFilter: the flavor " + flavor->name +
                              " asks for trust:trusted_host = " + level->second +
                              ", which only an attestation service could answer; this driver asks none");
  }
};

}  // namespace

const filter_rule trusted_filter{"TrustedFilter", false, false, make_filter<trusted>,
                                 "not trusted as the flavor asks for"};

}  // namespace filter_driver
