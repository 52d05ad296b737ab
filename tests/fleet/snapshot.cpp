// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/fleet/tables/row_json.hpp"

namespace gantry::fleet::testing {

namespace {

bool bits_behind(const std::uint64_t* words, std::uint32_t rows) {
  return rows % 64 != 0 && (words[rows / 64] >> (rows % 64)) != 0;
}

void check_codes(const gantry_column& column, std::uint32_t rows) {
  const auto* codes = static_cast<const std::uint32_t*>(column.values);
  for (std::uint32_t row = 0; row < rows; ++row) ASSERT_LT(codes[row], column.dictionary_count);
}

void check_column(const gantry_view& view, const gantry_column& column) {
  SCOPED_TRACE(std::string(column.name.data, column.name.size));
  ASSERT_NE(column.values, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column.values) % 64, 0u);
  if (column.validity != nullptr) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column.validity) % 64, 0u);
    EXPECT_FALSE(bits_behind(column.validity, view.rows));
  }
  switch (column.type) {
    case GANTRY_TYPE_BOOL:
      EXPECT_FALSE(bits_behind(static_cast<const std::uint64_t*>(column.values), view.rows));
      break;
    case GANTRY_TYPE_STRING:
    case GANTRY_TYPE_SET: check_codes(column, view.rows); break;
    case GANTRY_TYPE_F64:
      for (std::uint32_t row = 0; row < view.rows; ++row) {
        ASSERT_TRUE(std::isfinite(static_cast<const double*>(column.values)[row]));
      }
      break;
    default: break;
  }
}

}  // namespace

std::map<Place, json::object> snapshot(const Moment& moment, std::string_view topic) {
  std::map<Place, json::object> rows;
  const auto* view = moment.view(topic);
  if (view == nullptr) return rows;
  for (std::uint32_t at = 0; at < view->column_count; ++at) check_column(*view, view->columns[at]);
  for (std::uint32_t row = 0; row < view->rows; ++row) {
    const auto name = moment.row_name(*view, row);
    const Place place{name.host, name.node};
    EXPECT_FALSE(rows.contains(place)) << place.first << " " << place.second;
    rows.emplace(place, row_to_json(moment, *view, row));
  }
  return rows;
}

json::object row_of(const Moment& moment, std::string_view host, std::string_view node, std::string_view topic) {
  const auto* view = moment.view(topic);
  const auto row = moment.row_of(topic, host, node);
  if (view == nullptr || !row) {
    ADD_FAILURE() << "no row " << host << " " << node;
    return {};
  }
  return row_to_json(moment, *view, *row);
}

std::string text_of(std::uint64_t number) {
  std::string digits = std::to_string(number);
  return "00000000-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

Service service(std::string_view host, Nanoseconds last_seen_up, std::string_view topic) {
  Service service;
  service.topic = topic;
  service.host = host;
  service.binary = "nova-compute";
  service.last_seen_up = last_seen_up;
  return service;
}

ComputeNode report(std::string_view host, std::string_view node, std::string_view stats, Nanoseconds sampled_at) {
  ComputeNode made;
  made.topic = "compute";
  made.host = host;
  made.node = node;
  auto parsed = json::parse_object(stats);
  EXPECT_TRUE(parsed) << stats;
  if (parsed) made.stats = *parsed;
  made.sampled_at = made.updated_at = sampled_at;
  return made;
}

void put(Fleet& fleet, const ComputeNode& node) {
  ComputeNode merged;
  ClaimChanges changes;
  fleet.put_compute_node(node, merged, changes);
  changes.commit();
}

Instance instance(std::uint64_t number, std::string_view host, std::string_view node) {
  Instance made;
  made.uuid = text_of(number);
  made.host = host;
  made.node = node;
  made.vm_state = "active";
  return made;
}

Claim claim_of(std::string_view consumer, double vcpu, double limit, Nanoseconds created_at) {
  Claim made;
  made.consumer = consumer;
  made.items = {{"vcpu", vcpu, limit}};
  made.created_at = created_at;
  return made;
}

ClaimOutcome claim(Fleet& fleet, const Moment& moment, std::uint32_t row, Claim& claim, const GroupBound& bound) {
  auto ticket = fleet.claim(moment, *moment.view("compute"), row, claim, bound);
  if (!ticket) return ticket.outcome();
  claim = ticket.claim();
  ClaimChanges changes;
  if (!ticket.confirm(changes)) return ClaimOutcome::lost;
  changes.commit();
  return ClaimOutcome::held;
}

ClaimOutcome claim(Fleet& fleet, std::string_view host, std::string_view node, Claim wanted, Nanoseconds now) {
  const auto moment = fleet.pin(now);
  const auto row = moment.row_of("compute", host, node);
  return row ? claim(fleet, moment, *row, wanted) : ClaimOutcome::no_such_row;
}

std::vector<Claim> erased_by(const ClaimChanges& changes) {
  std::vector<Claim> erased;
  for (const auto& step : changes.steps()) {
    if (step.write == ClaimWrite::erase) erased.push_back(step.claim);
  }
  return erased;
}

std::vector<Claim> release_all(Fleet& fleet, std::string_view consumer, const Claim* kept) {
  ClaimChanges changes;
  if (kept != nullptr)
    fleet.release_picks(consumer, changes, kept);
  else
    fleet.release_claims(consumer, changes);
  auto erased = erased_by(changes);
  changes.commit();
  return erased;
}

std::vector<Claim> sweep(Fleet& fleet, Nanoseconds now) {
  ClaimChanges changes;
  fleet.sweep_claims(now, changes);
  auto erased = erased_by(changes);
  changes.commit();
  return erased;
}

void acknowledge_cast(Fleet& fleet, std::string_view consumer, Nanoseconds now) {
  ClaimChanges changes;
  fleet.acknowledge_cast(consumer, now, changes);
  changes.commit();
}

}  // namespace gantry::fleet::testing
