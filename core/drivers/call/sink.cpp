// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/sink.hpp"

#include <utility>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::drivers {

gantry_code Sink::misused(std::string complaint) {
  if (misuse_.empty()) misuse_ = std::move(complaint);
  return GANTRY_INVALID_ARGUMENT;
}

gantry_code Sink::pick(const Pick& /*pick*/) {
  return misused("picked; a custom method claims");
}
gantry_code Sink::alternate(const Pick& /*alternate*/) {
  return misused("gave an alternate in a custom method");
}
gantry_code Sink::refuse(std::uint32_t /*instance*/, std::string_view /*reason*/) {
  return misused("refused an instance it was not given");
}
gantry_code Sink::explain_host(const gantry_host_explanation& /*explanation*/) {
  return misused("explained a host in a custom method");
}

gantry_code Sink::claim(const gantry_claim& /*claim*/) {
  return misused("made a named claim; instances are claimed by pick");
}
gantry_code Sink::reply(std::string_view /*json*/) {
  return misused("replied; the answer is made of the picks");
}
gantry_code Sink::cast(const gantry_cast& cast) {
  return misused("cast " + std::string(from_abi(cast.method)) + "; only custom methods may cast");
}

void Sink::explain(const gantry_step& /*step*/) {}

}  // namespace gantry::drivers
