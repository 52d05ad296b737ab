// SPDX-License-Identifier: Apache-2.0
//
// The candidates of one question: which providers are seen, which can be claimed, and by which allocation requests. The
// JSON of a request is written when it is asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
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

  MirrorCandidates() : MirrorCandidates(std::make_shared<const ProviderShape>(), {}, {}) {}
  MirrorCandidates(std::shared_ptr<const ProviderShape> shape, std::vector<std::string> classes,
                   std::vector<std::string> suffixes);

  // Each of these rows gives all of `parts` to the first group; their row is passed over.
  void add_whole(const RowSet& rows, std::vector<Part> parts);
  void add(std::span<const Part> parts, std::span<const Mapping> mappings);
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

  const RowSet& seen() const { return seen_; }
  const RowSet& claimable() const { return claimable_; }
  const ProviderShape& shape() const { return *shape_; }
  std::size_t request_count() const { return whole_.size() + requests_.size(); }
  bool is_empty() const { return requests_.empty() && whole_.is_empty(); }
  // All allocation requests, each once.
  std::vector<std::string> write_requests() const;

 private:
  struct Request {
    std::uint32_t first_part;
    std::uint32_t parts;
    std::uint32_t first_mapping;
    std::uint32_t mappings;
  };

  // Calls `visit` with the row of each provider that gives resources in the request, once a provider.
  template <class Visit>
  void each_row(const Request& request, Visit visit) const;
  void index_rows();
  std::span<const std::uint32_t> numbers_of(ProviderRow row) const;
  bool has(const RowSet& rows, std::string_view provider) const;
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
  std::vector<std::uint32_t> row_begins_;    // by row, into row_requests_; empty: there are no requests_
  std::vector<std::uint32_t> row_requests_;  // numbers of requests_
  RowSet seen_;
  RowSet claimable_;
};

}  // namespace gantry::nova
