// SPDX-License-Identifier: Apache-2.0
//
// A store that is always empty, for a manager that answers one question and ends. `submit` keeps no batch and reports
// success before it returns.
#pragma once

#include "core/store/store.hpp"

namespace gantry::whatif {

class NoStore final : public store::Store {
 public:
  Result<void> load(store::Kind kind, const store::Visitor& visit) override;
  void submit(store::Batch batch, store::Done done, store::Undo undo) override;
  void undo_under(std::mutex* order) override;
  void flush() override;
  std::string describe() const override;
};

}  // namespace gantry::whatif
