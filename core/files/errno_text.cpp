// SPDX-License-Identifier: Apache-2.0
#include "core/files/errno_text.hpp"

#include <system_error>

namespace gantry::files {

std::string errno_text(int number) {
  return std::generic_category().message(number);
}

}  // namespace gantry::files
