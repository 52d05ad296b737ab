// SPDX-License-Identifier: Apache-2.0
//
// A request to place instances, and the call of a custom method. The classes refer to data of the host that is valid
// until the operation returns. raw() gives access to every field of driver.h.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/call.hpp>
#include <gantry/driver/text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gantry {

// A request to place instances. driver.h describes the fields of gantry_request.
class request {
 public:
  request(const call& call, const gantry_request& raw) noexcept : raw_(&raw), view_(call.view_of(*raw.view)) {}

  std::uint32_t instances() const noexcept { return raw_->instances; }    // number of instances to place, at least 1
  std::uint32_t alternates() const noexcept { return raw_->alternates; }  // further hosts wanted for each instance
  const gantry::view& view() const noexcept { return view_; }
  // Returns the rows that have a value in every column of the manifest's columns.needs.
  bits complete() const noexcept { return {raw_->complete, raw_->view->rows}; }
  // Returns the rows that may be used at all. nullopt: all rows.
  std::optional<bits> eligible() const noexcept {
    if (!GANTRY_HAS(raw_, gantry_request, eligible) || raw_->eligible == nullptr) return std::nullopt;
    return bits(raw_->eligible, raw_->view->rows);
  }
  // Returns the eligible rows that can be claimed. nullopt: not known.
  std::optional<bits> claimable() const noexcept {
    if (!GANTRY_HAS(raw_, gantry_request, claimable) || raw_->claimable == nullptr) return std::nullopt;
    return bits(raw_->claimable, raw_->view->rows);
  }
  gantry::explain_hosts explain_hosts() const noexcept {
    // A greater number than is known asks for more than all filters.
    return raw_->explain_hosts > GANTRY_EXPLAIN_ALL_FILTERS ? gantry::explain_hosts::all_filters
                                                            : static_cast<gantry::explain_hosts>(raw_->explain_hosts);
  }

  // The amounts that one instance needs. 0 also stands for a number that the request does not carry: carries() tells
  // the two cases apart.
  std::int64_t vcpus() const noexcept { return carries(GANTRY_REQUEST_VCPUS) ? raw_->vcpus : 0; }
  std::int64_t memory_mb() const noexcept { return carries(GANTRY_REQUEST_MEMORY_MB) ? raw_->memory_mb : 0; }
  double disk_gb() const noexcept { return raw_->disk_gb; }
  // Returns whether the request carries all of these numbers (GANTRY_REQUEST_*).
  bool carries(std::uint32_t present) const noexcept { return (raw_->present & present) == present; }

  std::string_view flavor() const noexcept { return text(raw_->flavor); }
  std::string_view availability_zone() const noexcept { return text(raw_->availability_zone); }  // empty: any
  std::string_view project_id() const noexcept { return text(raw_->project_id); }
  std::string_view user_id() const noexcept { return text(raw_->user_id); }
  gantry_pairs extra_specs() const noexcept { return raw_->extra_specs; }
  gantry_pairs image_properties() const noexcept { return raw_->image_properties; }
  gantry_strings instance_uuids() const noexcept { return raw_->instance_uuids; }
  gantry_strings ignore_hosts() const noexcept { return raw_->ignore_hosts; }
  gantry_strings force_hosts() const noexcept { return raw_->force_hosts; }
  gantry_strings force_nodes() const noexcept { return raw_->force_nodes; }
  std::string_view requested_host() const noexcept { return text(raw_->requested_host); }  // empty: any
  std::string_view requested_node() const noexcept { return text(raw_->requested_node); }
  const gantry_group* group() const noexcept { return raw_->group; }   // nullptr: the request has no group
  std::string_view spec() const noexcept { return text(raw_->spec); }  // the whole request spec, JSON

  // Returns the values of a scheduler hint. Empty if the request has no hint of that key.
  span<const gantry_string> hint(std::string_view key) const noexcept {
    const char* at = reinterpret_cast<const char*>(raw_->hints);
    for (std::uint32_t index = 0; index < raw_->hint_count; ++index, at += raw_->hint_stride) {
      const gantry_hint& hint = *reinterpret_cast<const gantry_hint*>(at);
      if (text(hint.key) == key) return each(hint.values);
    }
    return {};
  }

  // Return the value of an extra spec of the flavor, or of a property of the image. nullopt: the request has none. A value
  // that is not text is JSON.
  std::optional<std::string_view> extra_spec(std::string_view key) const noexcept {
    return value_of(raw_->extra_specs, key);
  }
  std::optional<std::string_view> image_property(std::string_view key) const noexcept {
    return value_of(raw_->image_properties, key);
  }

  const gantry_request& raw() const noexcept { return *raw_; }

 private:
  static std::optional<std::string_view> value_of(gantry_pairs pairs, std::string_view key) noexcept {
    for (const gantry_pair& pair : each(pairs)) {
      if (text(pair.key) == key) return text(pair.value);
    }
    return std::nullopt;
  }

  const gantry_request* raw_;
  gantry::view view_;
};

// The call of a custom method, one of the manifest's [methods].
class method_call {
 public:
  method_call(const call& call, const gantry_method_call& raw) noexcept : raw_(&raw), view_(call.view_of(*raw.view)) {}

  std::string_view topic() const noexcept { return text(raw_->topic); }
  std::string_view method() const noexcept { return text(raw_->method); }
  std::string_view args() const noexcept { return text(raw_->args); }  // JSON object
  const gantry::view& view() const noexcept { return view_; }
  // Returns the rows that have a value in every column of the manifest's columns.needs.
  bits complete() const noexcept { return {raw_->complete, raw_->view->rows}; }
  const gantry_method_call& raw() const noexcept { return *raw_; }

 private:
  const gantry_method_call* raw_;
  gantry::view view_;
};

}  // namespace gantry
