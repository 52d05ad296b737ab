// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/no_store.hpp"

namespace gantry::whatif {

Result<void> NoStore::load(store::Kind /*kind*/, const store::Visitor& /*visit*/) {
  return {};
}

void NoStore::submit(store::Batch /*batch*/, store::Done done, store::Undo /*undo*/) {
  if (done) done({});
}

void NoStore::undo_under(std::mutex* /*order*/) {}

void NoStore::flush() {}

std::string NoStore::describe() const {
  return "nothing";
}

}  // namespace gantry::whatif
