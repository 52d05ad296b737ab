// SPDX-License-Identifier: Apache-2.0
//
// The query of GET /allocation_candidates, read as placement reads it at microversion 1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace gantry::nova {

// The demands on the providers of one group.
struct QuestionGroup {
  std::string suffix;                                           // empty: any providers of a tree. Else: one provider
  std::vector<std::pair<std::string, std::int64_t>> resources;  // class and amount
  std::vector<std::string> required_traits;
  std::vector<std::string> forbidden_traits;
  std::vector<std::vector<std::string>> member_of;  // a provider is in one aggregate of each list
  std::vector<std::string> forbidden_aggregates;
  std::optional<std::string> in_tree;  // a provider's uuid
};

enum class GroupPolicy { none, isolate };

struct CandidateQuestion {
  std::vector<QuestionGroup> groups;  // in the order of the query
  std::optional<GroupPolicy> group_policy;
  std::vector<std::string> root_required;
  std::vector<std::string> root_forbidden;
  std::vector<std::vector<std::string>> same_subtree;  // suffixes
};

// Reads a query without the question mark. invalid_argument: placement refuses it. unsupported: it has a form that is
// not read here, which placement may answer or refuse. The limit is passed over.
Result<CandidateQuestion> read_candidate_question(std::string_view query);

}  // namespace gantry::nova
