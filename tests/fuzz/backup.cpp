// SPDX-License-Identifier: Apache-2.0
//
// A backup that somebody hands over. Its check and its restore come to the same end, and what was restored is a store that
// a start reads, with the documents of the backup and nothing else. The outcome is restored or refused.
#include <cstdlib>
#include <fstream>

#include "core/scheduling/state/stored_documents.hpp"
#include "core/store/sqlite_restore.hpp"
#include "core/store/sqlite_store.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::int64_t now = 1'790'000'000'000'000'000;

std::filesystem::path in_memory() {
  return std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
}

// Loads the store as a start does, and returns how many documents there are.
std::uint64_t started_with(const std::string& path) {
  store::SqliteSettings settings;
  settings.path = path;
  auto opened = store::open_sqlite(settings);
  if (!opened) broken("what was restored does not start: " + opened.error().message);
  std::uint64_t documents = 0;
  for (std::uint8_t number = 0; number <= static_cast<std::uint8_t>(store::Kind::heartbeat); ++number) {
    const auto kind = static_cast<store::Kind>(number);
    const auto loaded = (*opened)->load(kind, [&](std::string_view key, std::string_view text) {
      ++documents;
      return scheduling::check_stored(kind, key, text);
    });
    if (!loaded) broken("what was restored is refused by a start: " + loaded.error().message);
  }
  return documents;
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const support::ScratchDirectory scratch(in_memory());
  store::RestoreSettings settings;
  settings.store_path = scratch.path("gantry.db");
  settings.file = scratch.write("backup", text_of(input));
  settings.restored_at = now;
  settings.judge = scheduling::check_stored;
  settings.revise = [](const store::ReadDocuments&, const store::ReadDocuments*) -> Result<store::Batch> {
    return store::Batch();
  };
  const auto judged = store::judge_restore(settings);
  const auto restored = store::restore(settings);
  if (static_cast<bool>(judged) != static_cast<bool>(restored))
    broken("a check and a restore disagree: " + (judged ? restored.error().message : judged.error().message));
  if (!restored && restored.error().message.empty()) broken("a refusal without a reason");
  if (!restored) return "refused";
  std::uint64_t documents = 0;
  for (const auto& [name, count] : restored->backup.documents) documents += count;
  if (started_with(settings.store_path) != documents) broken("documents that are lost or come from nowhere");
  return "restored";
}

}  // namespace gantry::fuzz
