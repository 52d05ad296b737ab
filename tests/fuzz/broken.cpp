// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {

void broken(std::string_view what) {
  std::cerr << "broken: " << what << std::endl;
  std::abort();
}

}  // namespace gantry::fuzz
