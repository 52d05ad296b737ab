// SPDX-License-Identifier: Apache-2.0
//
// The candidates of one question: which providers are seen, which can be claimed, and by which allocation requests. The
// JSON of a request is written when it is asked for. Equal devices have too many requests for a list: a request may leave
// open which of some providers serves a group, and stands for all requests that choose one for each open group.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nova/mirror/provider_shape.hpp"

namespace gantry::nova {

class MirrorCandidates {
 public:
  // The amount of one class that a provider gives.
  struct Part {
    ProviderRow row;
    std::uint32_t resource_class;  // number of a name
    std::int64_t amount;
  };
  // The provider satisfies the group, alone or with others.
  struct Mapping {
    std::uint32_t group;  // number of a suffix
    ProviderRow row;
  };

  // A group that one of several providers serves.
  struct OpenGroup {
    struct Provider {
      ProviderRow row;
      std::uint32_t room;  // how many open groups it can serve
      bool operator==(const Provider&) const = default;
    };
    std::uint32_t group;           // number of a suffix
    std::uint32_t resource_class;  // number of a name
    std::int64_t amount;
    std::vector<Provider> providers;
  };
  // For some groups, in their order, the providers that can serve each. Valid during the visit that hands them over.
  using Choices = std::vector<std::span<const OpenGroup::Provider>>;

  MirrorCandidates() : MirrorCandidates(std::make_shared<const ProviderShape>(), {}, {}) {}
  MirrorCandidates(std::shared_ptr<const ProviderShape> shape, std::vector<std::string> classes,
                   std::vector<std::string> suffixes);

  // Each of these rows gives all of `parts` to the first group; their row is passed over.
  void add_whole(const RowSet& rows, std::vector<Part> parts);
  void add(std::span<const Part> parts, std::span<const Mapping> mappings);
  // Adds a request with open groups, beside which the other groups have `parts` and `mappings`. Returns false if the
  // providers have no room for all groups.
  bool add_open(std::vector<Part> parts, std::vector<Mapping> mappings, std::vector<OpenGroup> open);
  // Call it after the last request.
  void finish();

  // The providers of the summaries: Nova filters and weighs the hosts among them.
  bool is_seen(std::string_view provider) const { return has(seen_, provider); }
  // The provider gives resources in a request: the host can be picked.
  bool is_claimable(std::string_view provider) const { return has(claimable_, provider); }
  // The allocation requests in which the provider gives resources, as JSON, ordered by class id and provider id. Empty:
  // none.
  std::vector<std::string> requests_of(std::string_view provider) const;
  // The first of them. Empty: none.
  std::string request_of(std::string_view provider) const;
  // The first of them in which these providers serve these groups: (suffix, uuid). Empty: none.
  std::string request_of(std::string_view provider,
                         const std::vector<std::pair<std::string, std::string>>& chosen) const;
  // Calls `visit` with the choices of each of them for the groups of these suffixes. A request that does not have all of
  // these groups is left out.
  template <class Visit>
  void each_choices(std::string_view provider, const std::vector<std::string>& suffixes, Visit visit) const {
    const auto row = shape_->row_of_uuid(provider);
    if (row == no_row) return;
    Choices choices;
    std::vector<OpenGroup::Provider> single;
    if (whole_.has(row) && whole_choices_of(row, suffixes, choices, single)) visit(std::as_const(choices));
    for (const auto number : numbers_of(row)) {
      if (choices_of(requests_[number], suffixes, choices, single)) visit(std::as_const(choices));
    }
  }

  const RowSet& seen() const { return seen_; }
  const RowSet& claimable() const { return claimable_; }
  const ProviderShape& shape() const { return *shape_; }
  std::size_t request_count() const { return whole_.size() + requests_.size(); }
  bool is_empty() const { return requests_.empty() && whole_.is_empty(); }
  // All allocation requests, each once. A request with open groups is written as its first choice.
  std::vector<std::string> write_requests() const;

 private:
  struct Request {
    std::uint32_t first_part;
    std::uint32_t parts;
    std::uint32_t first_mapping;
    std::uint32_t mappings;
    std::uint32_t open =
        no_open_groups;  // number of its open groups. Then parts and mappings are of its first candidate
  };
  static constexpr std::uint32_t no_open_groups = UINT32_MAX;
  // A request that leaves groups open.
  struct OpenRequest {
    std::vector<Part> parts;        // by the groups that are not open
    std::vector<Mapping> mappings;  // by the groups that are not open
    std::vector<OpenGroup> groups;
  };

  // Calls `visit` with the row of each provider that gives resources in the request, once a provider.
  template <class Visit>
  void each_row(const Request& request, Visit visit) const;
  void index_rows();
  std::span<const std::uint32_t> numbers_of(ProviderRow row) const;
  bool has(const RowSet& rows, std::string_view provider) const;
  // They return false if the request does not have all groups. `single` holds the choices of groups that are not open.
  bool choices_of(const Request& request, const std::vector<std::string>& suffixes, Choices& choices,
                  std::vector<OpenGroup::Provider>& single) const;
  bool whole_choices_of(ProviderRow row, const std::vector<std::string>& suffixes, Choices& choices,
                        std::vector<OpenGroup::Provider>& single) const;
  // One request of an open one, with these providers: (number of a suffix, row). nullopt: there is none.
  struct Settled {
    std::vector<Part> parts;
    std::vector<Mapping> mappings;
  };
  static std::optional<Settled> settle(const OpenRequest& open, const std::vector<Mapping>& chosen);
  std::optional<std::vector<Mapping>> chosen_rows(const std::vector<std::pair<std::string, std::string>>& chosen) const;
  static bool has_mappings(std::span<const Mapping> mappings, const std::vector<Mapping>& chosen);
  std::string write_whole(ProviderRow row) const;
  std::string write(const Request& request) const;
  std::string write(std::span<const Part> parts, std::span<const Mapping> mappings) const;

  std::shared_ptr<const ProviderShape> shape_;
  std::vector<std::string> classes_;
  std::vector<std::string> suffixes_;
  RowSet whole_;
  std::vector<Part> whole_parts_;
  std::vector<Request> requests_;
  std::vector<Part> parts_;
  std::vector<Mapping> mappings_;
  std::vector<OpenRequest> open_;
  std::vector<std::uint32_t> row_begins_;    // by row, into row_requests_; empty: there are no requests_
  std::vector<std::uint32_t> row_requests_;  // numbers of requests_
  RowSet seen_;
  RowSet claimable_;
};

}  // namespace gantry::nova
