// SPDX-License-Identifier: Apache-2.0
//
// A call in the shadow of nova-scheduler: nothing is claimed, and claims are rehearsed.
#pragma once

#include "core/scheduling/authority.hpp"

namespace gantry::nova {

class ShadowCall final : public scheduling::AuthorityCall {
 public:
  // `is_repeated`: an earlier call has decided on the same request.
  explicit ShadowCall(bool is_repeated) : is_repeated_(is_repeated) {}
  bool is_quiet() const override { return is_repeated_; }

 private:
  bool is_repeated_;
};

}  // namespace gantry::nova
