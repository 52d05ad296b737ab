// SPDX-License-Identifier: Apache-2.0
//
// Whether a file has exactly the schema that Gantry makes. A trigger or a view of somebody else would act on the next
// change, and a start would believe what it makes.
#pragma once

#include "core/result.hpp"
#include "core/store/commit_record.hpp"
#include "core/store/sqlite_connection.hpp"

namespace gantry::store {

// The largest count of commits, and the latest time in nanoseconds, that a store may hold. Larger numbers are damage.
inline constexpr CommitNumber most_commits = CommitNumber{1} << 62;

// Fails unless the tables are exactly those of the schema whose number the file has, and the integers of the table meta
// are possible. Names what is foreign, what was expected and what was found. A file of a newer schema is not judged.
Result<void> check_schema_is_own(Connection& connection);

}  // namespace gantry::store
