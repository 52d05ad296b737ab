// SPDX-License-Identifier: Apache-2.0
//
// The properties of images, in a form in which values can be compared and counted: as Nova's object ImageMetaProps reads
// them from a request, and from the system metadata of an instance (nova/objects/image_meta.py).
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace filter_driver {

// By name. Equal texts stand for equal values.
using image_values = std::map<std::string, std::string, std::less<>>;

// Returns the values of an image's properties. A value is a text, as image services store it, or of its own type: "yes"
// and true are one value of hw_boot_menu. A former name stands for the present one, and yields to it. The lists
// traits_required, hw_numa_mem and hw_numa_cpus may be spread over several names: trait:NAME, hw_numa_mem.0. Required
// traits are one value in any order. Nulls are left out, as are values that Nova refuses. A name that Nova does not know
// counts as a text.
image_values read_image_values(const boost::json::object& properties);

// How many instances have a value: by name, then by the value's text.
using image_counts = std::map<std::string, std::map<std::string, std::uint64_t, std::less<>>, std::less<>>;

// Reads a cell of the column image_properties: [[count, {name: value}], ...]. Null stands for an empty list.
image_counts read_image_counts(const boost::json::value& cell);

}  // namespace filter_driver
