// SPDX-License-Identifier: Apache-2.0
#include "core/store/no_store.hpp"

namespace gantry::store {

Result<void> NoStore::load(Kind /*kind*/, const Visitor& /*visit*/) {
  return {};
}

void NoStore::submit(Batch /*batch*/, Done done, Undo /*undo*/) {
  if (done) done({});
}

void NoStore::undo_under(std::mutex* /*order*/) {}

void NoStore::flush() {}

std::string NoStore::describe() const {
  return "nothing";
}

}  // namespace gantry::store
