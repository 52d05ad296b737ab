// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/mirror_candidates.hpp"

#include <algorithm>

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

void MirrorCandidates::finish() {
  claimable_ = whole_;
  for (const auto& part : parts_) claimable_.insert(part.row);
  if (!requests_.empty()) index_rows();
  seen_ = claimable_;
  if (!shape_->has_trees()) return;
  claimable_.each([this](std::size_t row) {
    for (const auto member : shape_->tree(shape_->root(static_cast<ProviderRow>(row)))) seen_.insert(member);
  });
}

template <class Visit>
void MirrorCandidates::each_row(const Request& request, Visit visit) const {
  const auto parts = std::span(parts_).subspan(request.first_part, request.parts);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (std::find_if(parts.begin(), part, [&](const Part& former) { return former.row == part->row; }) == part)
      visit(part->row);
  }
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
