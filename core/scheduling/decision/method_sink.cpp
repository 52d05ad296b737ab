// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/method_sink.hpp"

#include <algorithm>

#include "core/drivers/abi/abi_text.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::scheduling {

void MethodSink::explain(const gantry_step& step) {
  steps_.push_back(to_step(step));
}

gantry_code MethodSink::claim(const gantry_claim& wanted) {
  if (fleet_ == nullptr || view_ == nullptr) return misused("claimed where nothing can be claimed");
  fleet::Claim claim;
  claim.consumer = std::string(drivers::from_abi(wanted.consumer));
  claim.id = to_text(random_uuid());
  claim.durable = true;
  claim.created_at = now_;
  for (std::uint32_t i = 0; i < wanted.item_count; ++i) claim.items.push_back(to_claim_item(wanted.items[i]));
  auto ticket = fleet_->claim(moment_, *view_, wanted.row, std::move(claim));
  if (!ticket) return GANTRY_CLAIM_LOST;
  tickets_.push_back(std::move(ticket));
  return GANTRY_OK;
}

gantry_code MethodSink::reply(std::string_view json) {
  if (answer_) return misused("replied twice");
  auto parsed = json::parse(json, json::max_part_depth);
  if (!parsed) return misused("replied with bad JSON: " + parsed.error().message);
  if (view_ == nullptr && !parsed->is_object())
    return misused("replied with " + std::string(json::type_name(*parsed)) + "; capabilities are a JSON object");
  answer_ = std::move(*parsed);
  return GANTRY_OK;
}

gantry_code MethodSink::cast(const gantry_cast& cast) {
  const auto method = std::string(drivers::from_abi(cast.method));
  const auto consumer = std::string(drivers::from_abi(cast.consumer));
  if (view_ == nullptr) return misused("cast where there is no host to cast to");
  const bool is_claimed = std::any_of(tickets_.begin(), tickets_.end(),
                                      [&](const auto& ticket) { return ticket.claim().consumer == consumer; });
  if (!consumer.empty() && !is_claimed) {
    return misused("cast " + method + " for consumer '" + consumer + "', for which it claimed nothing in this call");
  }
  auto args = json::parse_object(drivers::from_abi(cast.args), json::max_part_depth);
  if (!args) return misused("cast " + method + " with bad JSON: " + args.error().message);
  const auto name = moment_.row_name(*view_, cast.row);
  messages_.push_back({std::string(name.host), std::string(name.node), consumer, method, std::move(*args)});
  return GANTRY_OK;
}

}  // namespace gantry::scheduling
