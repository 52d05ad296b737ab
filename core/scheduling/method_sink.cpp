// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/method_sink.hpp"

namespace gantry::scheduling {

gantry_code MethodSink::misused(std::string complaint) {
  if (misuse_.empty()) misuse_ = std::move(complaint);
  return GANTRY_INVALID_ARGUMENT;
}

gantry_code MethodSink::pick(const gantry_pick&) {
  return misused("picked; a custom method claims");
}
gantry_code MethodSink::alternate(const gantry_pick&) {
  return misused("gave an alternate in a custom method");
}
gantry_code MethodSink::refuse(std::uint32_t, std::string_view) {
  return misused("refused an instance it was not given");
}

void MethodSink::explain(const gantry_step& step) {
  steps_.push_back(to_step(step));
}

gantry_code MethodSink::claim(const gantry_claim& wanted) {
  if (fleet_ == nullptr || view_ == nullptr) return misused("claimed where nothing can be claimed");
  fleet::Claim claim;
  claim.consumer = std::string(wanted.consumer.data, wanted.consumer.size);
  if (claim.consumer.empty()) return misused("claimed for a consumer without id");
  claim.durable = true;
  claim.created_at = now_;
  for (std::uint64_t i = 0; i < wanted.item_count; ++i) {
    const auto& item = wanted.items[i];
    claim.items.push_back({std::string(item.resource.data, item.resource.size), item.amount, item.limit});
  }
  if (fleet_->claim(moment_, *view_, wanted.row, claim) != fleet::ClaimOutcome::held) return GANTRY_CLAIM_LOST;
  claims_.push_back(std::move(claim));
  return GANTRY_OK;
}

gantry_code MethodSink::reply(std::string_view json) {
  if (answer_) return misused("replied twice");
  auto parsed = json::parse(json, json::max_part_depth);
  if (!parsed) return misused("replied with bad JSON: " + parsed.error().message);
  answer_ = std::move(*parsed);
  return GANTRY_OK;
}

gantry_code MethodSink::cast(std::uint32_t row, std::string_view method, std::string_view args) {
  if (view_ == nullptr) return misused("cast where there is no host to cast to");
  auto parsed = args.empty() ? Result<json::object>(json::object()) : json::parse_object(args, json::max_part_depth);
  if (!parsed) return misused("cast " + std::string(method) + " with bad JSON: " + parsed.error().message);
  const auto name = moment_.row_name(*view_, row);
  messages_.push_back({std::string(name.host), std::string(name.node), std::string(method), std::move(*parsed)});
  return GANTRY_OK;
}

void MethodSink::release() {
  for (const auto& claim : claims_) fleet_->release(claim.consumer, claim.topic, claim.host, claim.node);
  claims_.clear();
  messages_.clear();
}

}  // namespace gantry::scheduling
