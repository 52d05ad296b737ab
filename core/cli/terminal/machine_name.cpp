// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/machine_name.hpp"

#include <unistd.h>

#include <array>

namespace gantry::cli {

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("localhost");
}

}  // namespace gantry::cli
