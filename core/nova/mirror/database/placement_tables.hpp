// SPDX-License-Identifier: Apache-2.0
//
// The tables of placement that are read, with the columns that are read.
#pragma once

#include <array>
#include <string_view>

#include "core/nova/facts/tables.hpp"

namespace gantry::nova::placement_tables {

inline constexpr std::array<std::string_view, 2> name_columns{"id", "name"};
inline constexpr std::array<std::string_view, 2> aggregate_columns{"id", "uuid"};
inline constexpr std::array<std::string_view, 6> provider_columns{
    "id", "uuid", "generation", "parent_provider_id", "root_provider_id", "updated_at"};
inline constexpr std::array<std::string_view, 8> inventory_columns{
    "resource_provider_id", "resource_class_id", "total", "reserved", "min_unit", "max_unit", "step_size",
    "allocation_ratio"};
inline constexpr std::array<std::string_view, 3> allocation_columns{"resource_provider_id", "resource_class_id",
                                                                    "used"};
inline constexpr std::array<std::string_view, 2> provider_trait_columns{"resource_provider_id", "trait_id"};
inline constexpr std::array<std::string_view, 2> provider_aggregate_columns{"resource_provider_id", "aggregate_id"};

inline constexpr Table resource_classes{"resource_classes", name_columns};
inline constexpr Table traits{"traits", name_columns};
inline constexpr Table aggregates{"placement_aggregates", aggregate_columns};
inline constexpr Table providers{"resource_providers", provider_columns};
inline constexpr Table inventories{"inventories", inventory_columns};
inline constexpr Table allocations{"allocations", allocation_columns};
inline constexpr Table provider_traits{"resource_provider_traits", provider_trait_columns};
inline constexpr Table provider_aggregates{"resource_provider_aggregates", provider_aggregate_columns};

// For the check at the start.
inline constexpr std::array<Table, 8> all{resource_classes, traits,      aggregates,      providers,
                                          inventories,      allocations, provider_traits, provider_aggregates};

}  // namespace gantry::nova::placement_tables
