// SPDX-License-Identifier: Apache-2.0
//
// A call of the RPC side, for the authority.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/nova/serve/nova_admission.hpp"
#include "core/scheduling/authority.hpp"

namespace gantry::nova {

class RpcCall final : public scheduling::AuthorityCall, public ClaimJournal {
 public:
  explicit RpcCall(std::function<void(std::string_view claim)> note_claim) : note_claim_(std::move(note_claim)) {}
  void note(const ClaimNote& note) override { note_claim_(text_of(note)); }

 private:
  std::function<void(std::string_view claim)> note_claim_;
};

}  // namespace gantry::nova
