// SPDX-License-Identifier: Apache-2.0
//
// Declares the built-in weighers under the names of their rules. Each has a file in this folder. nova_classes.txt
// lists them.
#pragma once

#include <builtin_weighers.hpp>

#include "rules/by_code.hpp"
#include "rules/weigher.hpp"
