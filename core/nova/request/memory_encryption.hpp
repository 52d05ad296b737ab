// SPDX-License-Identifier: Apache-2.0
//
// Encrypted memory and stateless firmware of a flavor and an image, with Nova's checks of them.
#pragma once

#include "core/nova/request/question_rules.hpp"
#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Returns the model of the encryption, amd-sev unless another one is asked for, or nothing if memory is not encrypted.
Result<OptionalText> memory_encryption(const Flavor& flavor, const Image& image, const QuestionRules& rules);

Result<bool> wants_stateless_firmware(const Image& image, const QuestionRules& rules);

}  // namespace gantry::nova
