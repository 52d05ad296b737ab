// SPDX-License-Identifier: Apache-2.0
//
// The services that an offer may not use: it neither decides nor writes to a view.
#include <string>

#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/host_services.hpp"

namespace gantry::drivers {
namespace {

gantry_code refuse_to_offer(gantry_call* call, const char* service) {
  if (call == nullptr) return GANTRY_UNSUPPORTED;
  return DriverCall::State::of(call)->misused(
      GANTRY_UNSUPPORTED, std::string(service) + ": expected a driver to call it, found a filter or weigher");
}

gantry_code refuse_write(gantry_call* call, const gantry_view* /*derived*/, gantry_string /*column*/,
                         gantry_writable* /*out*/) {
  return refuse_to_offer(call, "write");
}
gantry_code refuse_append(gantry_call* call, const gantry_view* /*derived*/, gantry_string /*column*/,
                          std::uint32_t /*row*/, const void* /*element*/) {
  return refuse_to_offer(call, "append");
}
gantry_code refuse_pick(gantry_call* call, const gantry_pick* /*pick*/) {
  return refuse_to_offer(call, "pick");
}
gantry_code refuse_alternate(gantry_call* call, const gantry_pick* /*alternate*/) {
  return refuse_to_offer(call, "alternate");
}
gantry_code refuse_refusal(gantry_call* call, std::uint32_t /*instance*/, gantry_string /*reason*/) {
  return refuse_to_offer(call, "refuse");
}
void refuse_explain(gantry_call* /*call*/, const gantry_step* /*step*/) {}
gantry_code refuse_claim(gantry_call* call, const gantry_claim* /*claim*/) {
  return refuse_to_offer(call, "claim");
}
gantry_code refuse_reply(gantry_call* call, gantry_string /*json*/) {
  return refuse_to_offer(call, "reply");
}
gantry_code refuse_cast(gantry_call* call, const gantry_cast* /*cast*/) {
  return refuse_to_offer(call, "cast");
}

}  // namespace

void refuse_what_is_the_drivers(gantry_host& table) {
  table.write = &refuse_write;
  table.append = &refuse_append;
  table.pick = &refuse_pick;
  table.alternate = &refuse_alternate;
  table.refuse = &refuse_refusal;
  table.explain = &refuse_explain;
  table.claim = &refuse_claim;
  table.reply = &refuse_reply;
  table.cast = &refuse_cast;
}

}  // namespace gantry::drivers
