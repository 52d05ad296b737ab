// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/call_input.hpp"

#include <algorithm>

#include "core/drivers/call/view_rows.hpp"
#include "core/fleet/cells/cell_memory.hpp"

namespace gantry::drivers::isolated {

// A field that is added to one of these structs may be a pointer, which has to be copied below.
static_assert(sizeof(gantry_request) == 400 && sizeof(gantry_group) == 120 && sizeof(gantry_context) == 104 &&
              sizeof(gantry_method_call) == 72 && sizeof(gantry_candidates) == 80);

void* InputWriter::take(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t begin = (used_ + alignment - 1) / alignment * alignment;
  if (!fits_ || begin > room_.size() || bytes > room_.size() - begin) {
    fits_ = false;
    return nullptr;
  }
  used_ = begin + bytes;
  return room_.data() + begin;
}

const gantry_view* InputWriter::view(const gantry_view* view) {
  const auto* const cells = fleet::shared_cells();
  if (view != nullptr && (cells == nullptr || !cells->holds(view))) shares_views_ = false;
  return view;
}

gantry_string InputWriter::text(gantry_string text) {
  if (text.data == nullptr) return {};
  return {copy(text.data, text.size), text.size};
}

gantry_strings InputWriter::texts(gantry_strings texts) {
  if (texts.items == nullptr || texts.count == 0) return {};
  auto* const items = array<gantry_string>(texts.count);
  if (items == nullptr) return {};
  for (std::uint64_t at = 0; at < texts.count; ++at) items[at] = text(texts.items[at]);
  return {items, texts.count};
}

gantry_pairs InputWriter::pairs(gantry_pairs pairs) {
  if (pairs.items == nullptr || pairs.count == 0) return {};
  auto* const items = array<gantry_pair>(pairs.count);
  if (items == nullptr) return {};
  for (std::uint64_t at = 0; at < pairs.count; ++at) {
    items[at] = {text(pairs.items[at].key), text(pairs.items[at].value)};
  }
  return {items, pairs.count};
}

const std::uint64_t* InputWriter::bitmap(const std::uint64_t* bitmap, std::uint32_t rows) {
  if (bitmap == nullptr) return nullptr;
  const std::uint64_t words = bitmap_words(rows);
  auto* const made = static_cast<std::uint64_t*>(take(words * sizeof(std::uint64_t), 64));
  if (made != nullptr) std::copy_n(bitmap, words, made);
  return made;
}

const gantry_context* InputWriter::context(const gantry_context* context) {
  if (context == nullptr) return nullptr;
  gantry_context made = *context;
  made.request_id = text(context->request_id);
  made.user_id = text(context->user_id);
  made.project_id = text(context->project_id);
  made.remote_address = text(context->remote_address);
  made.roles = texts(context->roles);
  made.json = text(context->json);
  return make(made);
}

const gantry_group* InputWriter::group(const gantry_group* group) {
  if (group == nullptr) return nullptr;
  gantry_group made = *group;
  made.uuid = text(group->uuid);
  made.name = text(group->name);
  made.policy = text(group->policy);
  made.rules = text(group->rules);
  made.members = texts(group->members);
  made.member_rows = copy(group->member_rows, group->member_row_count);
  made.hosts = texts(group->hosts);
  return make(made);
}

const gantry_candidates* InputWriter::candidates(const gantry_candidates* candidates, std::uint32_t rows) {
  if (candidates == nullptr) return nullptr;
  gantry_candidates made = *candidates;
  made.groups = texts({candidates->groups, candidates->group_count}).items;
  made.providers = texts({candidates->providers, candidates->provider_count}).items;
  made.rooms = copy(candidates->rooms, candidates->provider_count);
  made.rows = copy(candidates->rows, rows);
  made.sets = copy(candidates->sets, candidates->set_count * candidates->group_count);
  made.choices = copy(candidates->choices, candidates->choice_count);
  return make(made);
}

const gantry_request* InputWriter::request(const gantry_request& request) {
  gantry_request made = request;
  const std::uint32_t rows = request.view == nullptr ? 0 : request.view->rows;
  made.view = view(request.view);
  made.complete = bitmap(request.complete, rows);
  made.eligible = bitmap(request.eligible, rows);
  made.claimable = bitmap(request.claimable, rows);
  made.instance_uuids = texts(request.instance_uuids);
  made.extra_specs = pairs(request.extra_specs);
  made.image_properties = pairs(request.image_properties);
  for (auto field : {&gantry_request::flavor, &gantry_request::availability_zone, &gantry_request::project_id,
                     &gantry_request::user_id, &gantry_request::requested_host, &gantry_request::requested_node,
                     &gantry_request::spec, &gantry_request::filter_properties, &gantry_request::original}) {
    made.*field = text(request.*field);
  }
  for (auto field : {&gantry_request::force_hosts, &gantry_request::force_nodes, &gantry_request::ignore_hosts}) {
    made.*field = texts(request.*field);
  }
  made.retry_hosts = pairs({request.retry_hosts, request.retry_host_count}).items;
  auto* const hints = array<gantry_hint>(request.hint_count);
  for (std::uint32_t at = 0; hints != nullptr && at < request.hint_count; ++at) {
    const auto* const first = reinterpret_cast<const std::byte*>(request.hints);
    const auto& hint = *reinterpret_cast<const gantry_hint*>(first + std::size_t{at} * request.hint_stride);
    hints[at] = {text(hint.key), texts(hint.values)};
  }
  made.hints = hints;
  made.hint_stride = sizeof(gantry_hint);
  made.group = group(request.group);
  return make(made);
}

const gantry_method_call* InputWriter::method(const gantry_method_call& method) {
  gantry_method_call made = method;
  made.view = view(method.view);
  made.topic = text(method.topic);
  made.method = text(method.method);
  made.args = text(method.args);
  made.complete = bitmap(method.complete, method.view == nullptr ? 0 : method.view->rows);
  return make(made);
}

}  // namespace gantry::drivers::isolated
