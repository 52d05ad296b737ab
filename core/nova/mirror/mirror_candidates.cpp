// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/mirror_candidates.hpp"

#include <algorithm>
#include <utility>

#include "core/encoding/json.hpp"

namespace gantry::nova {

MirrorCandidates::MirrorCandidates(std::shared_ptr<const ProviderShape> shape, std::vector<std::string> classes,
                                   std::vector<std::string> suffixes)
    : shape_(std::move(shape)),
      classes_(std::move(classes)),
      suffixes_(std::move(suffixes)),
      whole_(shape_->rows()),
      seen_(shape_->rows()),
      claimable_(shape_->rows()) {}

void MirrorCandidates::add_whole(const RowSet& rows, std::vector<Part> parts) {
  whole_ = rows;
  whole_parts_ = std::move(parts);
}

void MirrorCandidates::add(std::span<const Part> parts, std::span<const Mapping> mappings) {
  requests_.push_back({static_cast<std::uint32_t>(parts_.size()), static_cast<std::uint32_t>(parts.size()),
                       static_cast<std::uint32_t>(mappings_.size()), static_cast<std::uint32_t>(mappings.size())});
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  mappings_.insert(mappings_.end(), mappings.begin(), mappings.end());
}

template <class Visit>
void MirrorCandidates::each_row(const Request& request, Visit visit) const {
  const auto parts = std::span(parts_).subspan(request.first_part, request.parts);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (std::find_if(parts.begin(), part, [&](const Part& former) { return former.row == part->row; }) == part)
      visit(part->row);
  }
  if (request.open == no_open_groups) return;
  // The first candidate takes some of the providers, and others take the rest.
  std::vector<ProviderRow> visited;
  const std::vector<OpenGroup::Provider>* before = nullptr;
  for (const auto& group : open_[request.open].groups) {
    if (before != nullptr && *std::exchange(before, &group.providers) == group.providers) continue;
    before = &group.providers;
    for (const auto& provider : group.providers) {
      const auto is_this = [&provider](const auto& each) { return each.row == provider.row; };
      if (std::ranges::any_of(parts, is_this) || std::ranges::find(visited, provider.row) != visited.end()) continue;
      visited.push_back(provider.row);
      visit(provider.row);
    }
  }
}

void MirrorCandidates::finish() {
  claimable_ = whole_;
  for (const auto& part : parts_) claimable_.insert(part.row);
  for (const auto& request : open_) {
    const std::vector<OpenGroup::Provider>* before = nullptr;
    for (const auto& group : request.groups) {
      if (before != nullptr && *std::exchange(before, &group.providers) == group.providers) continue;
      before = &group.providers;
      for (const auto& provider : group.providers) claimable_.insert(provider.row);
    }
  }
  if (!requests_.empty()) index_rows();
  seen_ = claimable_;
  if (!shape_->has_trees()) return;
  claimable_.each([this](std::size_t row) {
    for (const auto member : shape_->tree(shape_->root(static_cast<ProviderRow>(row)))) seen_.insert(member);
  });
}

void MirrorCandidates::index_rows() {
  row_begins_.assign(shape_->rows() + 1, 0);
  for (const auto& request : requests_) each_row(request, [this](ProviderRow row) { ++row_begins_[row + 1]; });
  for (std::size_t row = 0; row < shape_->rows(); ++row) row_begins_[row + 1] += row_begins_[row];
  row_requests_.resize(row_begins_.back());
  auto ends = row_begins_;
  for (std::uint32_t number = 0; number < requests_.size(); ++number)
    each_row(requests_[number], [&](ProviderRow row) { row_requests_[ends[row]++] = number; });
}

std::span<const std::uint32_t> MirrorCandidates::numbers_of(ProviderRow row) const {
  if (row_begins_.empty()) return {};
  return std::span(row_requests_).subspan(row_begins_[row], row_begins_[row + 1] - row_begins_[row]);
}

bool MirrorCandidates::has(const RowSet& rows, std::string_view provider) const {
  const auto row = shape_->row_of_uuid(provider);
  return row != no_row && rows.has(row);
}

std::vector<std::string> MirrorCandidates::requests_of(std::string_view provider) const {
  std::vector<std::string> texts;
  const auto row = shape_->row_of_uuid(provider);
  if (row == no_row) return texts;
  if (whole_.has(row)) texts.push_back(write_whole(row));
  for (const auto number : numbers_of(row)) texts.push_back(write(requests_[number]));
  return texts;
}

std::string MirrorCandidates::request_of(std::string_view provider) const {
  const auto row = shape_->row_of_uuid(provider);
  if (row == no_row || !claimable_.has(row)) return {};
  if (whole_.has(row)) return write_whole(row);
  return write(requests_[numbers_of(row).front()]);
}

std::string MirrorCandidates::request_of(std::string_view provider,
                                         const std::vector<std::pair<std::string, std::string>>& chosen) const {
  const auto row = shape_->row_of_uuid(provider);
  const auto rows = chosen_rows(chosen);
  if (row == no_row || !rows) return {};
  const Mapping whole{0, row};
  if (whole_.has(row) && has_mappings(std::span(&whole, 1), *rows)) return write_whole(row);
  for (const auto number : numbers_of(row)) {
    const auto& request = requests_[number];
    if (request.open != no_open_groups) {
      if (const auto settled = settle(open_[request.open], *rows)) return write(settled->parts, settled->mappings);
    } else if (has_mappings(std::span(mappings_).subspan(request.first_mapping, request.mappings), *rows)) {
      return write(request);
    }
  }
  return {};
}

std::optional<std::vector<MirrorCandidates::Mapping>> MirrorCandidates::chosen_rows(
    const std::vector<std::pair<std::string, std::string>>& chosen) const {
  std::vector<Mapping> rows;
  for (const auto& [suffix, uuid] : chosen) {
    const auto group = std::ranges::find(suffixes_, suffix);
    const auto row = shape_->row_of_uuid(uuid);
    if (group == suffixes_.end() || row == no_row) return std::nullopt;
    rows.push_back({static_cast<std::uint32_t>(group - suffixes_.begin()), row});
  }
  return rows;
}

bool MirrorCandidates::has_mappings(std::span<const Mapping> mappings, const std::vector<Mapping>& chosen) {
  return std::ranges::all_of(chosen, [&mappings](const Mapping& wanted) {
    return std::ranges::any_of(
        mappings, [&wanted](const Mapping& each) { return each.group == wanted.group && each.row == wanted.row; });
  });
}

bool MirrorCandidates::choices_of(const Request& request, const std::vector<std::string>& suffixes, Choices& choices,
                                  std::vector<OpenGroup::Provider>& single) const {
  const auto mappings = std::span(mappings_).subspan(request.first_mapping, request.mappings);
  std::span<const OpenGroup> groups;
  if (request.open != no_open_groups) groups = open_[request.open].groups;
  choices.clear();
  single.clear();
  single.reserve(suffixes.size());
  std::size_t next = 0;  // the open group that is looked at first: most groups are asked for in their order
  for (const auto& suffix : suffixes) {
    const auto is_of = [&](std::uint32_t group) { return suffixes_[group] == suffix; };
    if (next >= groups.size() || !is_of(groups[next].group))
      next = static_cast<std::size_t>(std::ranges::find_if(groups, is_of, &OpenGroup::group) - groups.begin());
    if (next < groups.size()) {
      choices.emplace_back(groups[next++].providers);
      continue;
    }
    const auto mapping = std::ranges::find_if(mappings, is_of, &Mapping::group);
    if (mapping == mappings.end()) return false;
    single.push_back({mapping->row, UINT32_MAX});
    choices.emplace_back(&single.back(), 1);
  }
  return true;
}

// A single group is served by the row itself.
bool MirrorCandidates::whole_choices_of(ProviderRow row, const std::vector<std::string>& suffixes, Choices& choices,
                                        std::vector<OpenGroup::Provider>& single) const {
  if (std::ranges::any_of(suffixes, [this](const auto& suffix) { return suffix != suffixes_[0]; })) return false;
  single.assign(1, {row, UINT32_MAX});
  choices.assign(suffixes.size(), std::span(std::as_const(single)));
  return true;
}

std::vector<std::string> MirrorCandidates::write_requests() const {
  std::vector<std::string> texts;
  whole_.each([&](std::size_t row) { texts.push_back(write_whole(static_cast<ProviderRow>(row))); });
  for (const auto& request : requests_) texts.push_back(write(request));
  return texts;
}

std::string MirrorCandidates::write_whole(ProviderRow row) const {
  auto parts = whole_parts_;
  for (auto& part : parts) part.row = row;
  const Mapping mapping{0, row};
  return write(parts, std::span(&mapping, 1));
}

std::string MirrorCandidates::write(const Request& request) const {
  return write(std::span(parts_).subspan(request.first_part, request.parts),
               std::span(mappings_).subspan(request.first_mapping, request.mappings));
}

std::string MirrorCandidates::write(std::span<const Part> parts, std::span<const Mapping> mappings) const {
  json::object allocations;
  for (const auto& part : parts) {
    auto& allocation = allocations[shape_->uuid(part.row)];
    if (allocation.is_null()) allocation = json::object{{"resources", json::object()}};
    allocation.as_object()["resources"].as_object()[classes_[part.resource_class]] = part.amount;
  }
  json::object groups;
  for (const auto& mapping : mappings) {
    auto& group = groups[suffixes_[mapping.group]];
    if (group.is_null()) group = json::array();
    group.as_array().emplace_back(shape_->uuid(mapping.row));
  }
  return json::write(json::object{{"allocations", std::move(allocations)}, {"mappings", std::move(groups)}});
}

}  // namespace gantry::nova
