// SPDX-License-Identifier: Apache-2.0
//
// Declares the filter_rule of each built-in filter, such as core_filter for CoreFilter. Each filter has a file in this
// folder, such as core.cpp. The build writes builtin_filters.hpp from nova_classes.txt, the list of all filters.
#pragma once

#include <builtin_filters.hpp>

#include "rules/by_code.hpp"
#include "rules/filter.hpp"
