// SPDX-License-Identifier: Apache-2.0
//
// The matrix that rules play at a driver: fleets and requests, made from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/conformance/subject.hpp"
#include "gantry/testing/fake_request.hpp"
#include "gantry/testing/host_row.hpp"

namespace gantry::conformance {

// One fleet and one request.
struct Scene {
  std::string name;
  std::vector<testing::host_row> rows;
  testing::fake_request request;
};

// Returns so many hosts, up and enabled, with different capacities and a value in each column that the unit names.
// `with_nulls`: about each third value is null.
std::vector<testing::host_row> fleet(const Unit& unit, std::uint64_t seed, std::size_t hosts, bool with_nulls = false);

// Returns a small request of so many instances with uuids. `number` makes the uuids differ between requests.
testing::fake_request small_request(std::uint32_t instances = 1, std::uint32_t number = 0);

// Returns the members of the request as the canonical JSON of gantry_request.spec.
std::string whole_spec(const testing::fake_request& request);

// Returns the scenes of the matrix.
std::vector<Scene> scenes(const Unit& unit, std::uint64_t seed);

// Returns texts that break a careless reader: quotes, backslashes, control characters, long ones.
const std::vector<std::string>& odd_texts();
// Returns the text as a JSON string.
std::string json_string(const std::string& text);

}  // namespace gantry::conformance
