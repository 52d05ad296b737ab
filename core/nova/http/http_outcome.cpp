// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/http_outcome.hpp"

#include <boost/beast/core/string.hpp>

namespace gantry::nova {

std::string_view HttpOutcome::header(std::string_view name) const {
  for (const auto& header : headers) {
    if (boost::beast::iequals(header.name, name)) return header.value;
  }
  return {};
}

}  // namespace gantry::nova
