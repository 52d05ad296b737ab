// SPDX-License-Identifier: Apache-2.0
//
// One file of the archive: decisions, or the facts that they saw. A segment is an SQLite database that is appended to,
// until the next segment follows, and is removed as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "core/store/sqlite_connection.hpp"

namespace gantry::store {

enum class SegmentKind : std::uint8_t { decisions, facts };

struct SegmentName {
  SegmentKind kind;
  std::int64_t number;  // rises from segment to segment of a kind

  // Returns "decisions-000000000042.db".
  std::string text() const;
  static std::optional<SegmentName> parse(std::string_view file);
};

// Makes the file with its tables, mode 0600: under another name until it is whole. Replaces a file of that name that was
// never finished. `sample` is the text that its records are packed with.
Result<Connection> make_segment(const std::string& path, SegmentKind kind, std::string_view sample);
// Opens a segment to append to it. Error failed_precondition if the file is not a segment, or is of a later form.
Result<Connection> open_segment(const std::string& path);
Result<Connection> open_segment_to_read(const std::string& path);
// Returns whether nothing was ever committed to the file: an older gantry was killed as it made it.
bool is_unfinished_segment(const std::string& path);
// Returns the sample.
Result<std::string> sample_of(Connection& segment);

// Removes the file and those that SQLite keeps beside it.
void remove_segment(const std::string& path);
// Returns the size of the file and of those beside it in bytes. 0 if the file is gone.
std::uint64_t size_of_segment(const std::string& path);

}  // namespace gantry::store
