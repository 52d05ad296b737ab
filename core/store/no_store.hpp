// SPDX-License-Identifier: Apache-2.0
//
// A store that is always empty, for a manager that answers one question and ends. `submit` keeps no batch and reports
// success before it returns.
#pragma once

#include "core/store/store.hpp"

namespace gantry::store {

class NoStore final : public Store {
 public:
  Result<void> load(Kind kind, const Visitor& visit) override;
  void submit(Batch batch, Done done, Undo undo) override;
  void undo_under(std::mutex* order) override;
  void flush() override;
  bool keeps_everything() const override { return false; }
  std::string describe() const override;
};

}  // namespace gantry::store
