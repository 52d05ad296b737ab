// SPDX-License-Identifier: Apache-2.0
//
// Between a driver and an offer that it calls: the offer's name goes into the crash report and into its failures.
#include <string>
#include <string_view>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/offers/loaded_offer.hpp"

namespace gantry::drivers {
namespace {

// noexcept: what leaves an offer in spite of the ABI ends the process here, where the crash report can still name it.
template <class Function>
gantry_code run(const LoadedOffer& offer, LoadedOffer::Operation operation, gantry_call* call,
                const Function& function) noexcept {
  if (call == nullptr) return GANTRY_INVALID_ARGUMENT;
  DriverCall::State& state = *DriverCall::State::of(call);
  const gantry_context* context = state.settings.context;
  const CrashNote note(offer.driver(), offer.name_of(operation),
                       context == nullptr ? std::string_view{} : from_abi(context->request_id), offer.path());
  const gantry_code code_before = std::exchange(state.failure_code, GANTRY_OK);
  std::string sentence_before = std::exchange(state.failure_sentence, {});
  const bool was_well_used = state.misuse.empty();
  const gantry_code code = function();
  if (was_well_used && !state.misuse.empty()) state.misuse = offer.name() + ": " + state.misuse;
  if (code == GANTRY_OK) {
    state.fail(code_before, std::move(sentence_before));
    return code;
  }
  const bool has_sentence = state.failure_code != GANTRY_OK && !state.failure_sentence.empty();
  const std::string sentence = has_sentence ? state.failure_sentence : "failed without a sentence";
  return state.fail(code, offer.name() + ": " + sentence);
}

gantry_code keep(gantry_offered* offered, gantry_call* call, const gantry_filter_run* filter_run) {
  const LoadedOffer& offer = LoadedOffer::of(offered);
  return run(offer, LoadedOffer::keep_or_weigh, call,
             [&] { return offer.own<gantry_filter_ops>().keep(offer.instance(), call, filter_run); });
}

gantry_code limits(gantry_offered* offered, gantry_call* call, const gantry_filter_run* filter_run, std::uint32_t row,
                   gantry_filter_limits* out) {
  const LoadedOffer& offer = LoadedOffer::of(offered);
  return run(offer, LoadedOffer::limits, call,
             [&] { return offer.own<gantry_filter_ops>().limits(offer.instance(), call, filter_run, row, out); });
}

gantry_code reason(gantry_offered* offered, gantry_call* call, const gantry_filter_run* filter_run,
                   const std::uint64_t* removed, gantry_filter_reason* out) {
  const LoadedOffer& offer = LoadedOffer::of(offered);
  return run(offer, LoadedOffer::reason, call,
             [&] { return offer.own<gantry_filter_ops>().reason(offer.instance(), call, filter_run, removed, out); });
}

gantry_code weigh(gantry_offered* offered, gantry_call* call, gantry_weigher_run* weigher_run) {
  const LoadedOffer& offer = LoadedOffer::of(offered);
  return run(offer, LoadedOffer::keep_or_weigh, call,
             [&] { return offer.own<gantry_weigher_ops>().weigh(offer.instance(), call, weigher_run); });
}

OfferTable guard_filter(gantry_filter_ops table) {
  table.create = nullptr;
  table.destroy = nullptr;
  table.keep = &keep;
  if (table.limits != nullptr) table.limits = &limits;
  if (table.reason != nullptr) table.reason = &reason;
  return table;
}

OfferTable guard_weigher(gantry_weigher_ops table) {
  table.create = nullptr;
  table.destroy = nullptr;
  table.weigh = &weigh;
  return table;
}

}  // namespace

OfferTable guard(const OfferTable& own) {
  if (const auto* filter = std::get_if<gantry_filter_ops>(&own)) return guard_filter(*filter);
  return guard_weigher(std::get<gantry_weigher_ops>(own));
}

}  // namespace gantry::drivers
