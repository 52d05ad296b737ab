// SPDX-License-Identifier: Apache-2.0
//
// The built-in filters, by the names of their rules: one file of this folder each. nova_classes.txt lists them.
#pragma once

#include <builtin_filters.hpp>

#include "rules/by_code.hpp"
#include "rules/filter.hpp"
