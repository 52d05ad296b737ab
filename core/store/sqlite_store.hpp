// SPDX-License-Identifier: Apache-2.0
//
// The embedded store: one SQLite file, used by one process at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

struct SqliteSettings {
  // Its directory is made if only that one is missing. Beside it live <path>-wal and <path>-shm (SQLite's), <path>.lock
  // and, once a schema was migrated, <path>.v<N>.bak.
  std::string path;
  std::shared_ptr<telemetry::Logger> logger;  // may be null
  std::shared_ptr<telemetry::Counters>
      counters;  // may be null; store_transactions, store_batches, store_failed_batches

  // What one transaction takes of the waiting batches; the first is taken whatever its size.
  std::size_t batches_per_transaction = 512;
  std::size_t bytes_per_transaction = std::size_t{8} << 20;
  // How long what nobody waits for may wait for more of its kind: a commit costs the same for one as for a hundred.
  std::chrono::milliseconds behind{10};
  // A batch that would make more than this wait is answered with resource_exhausted.
  std::size_t bytes_waiting = std::size_t{256} << 20;
  std::size_t bytes_per_document = std::size_t{64} << 20;
  // The log is copied into the file when it has grown to so many pages, and at the end.
  std::size_t log_pages = 1000;
  // The file may grow to so many pages of 4 KiB; 0: as far as the disk goes.
  std::size_t pages = 0;
};

// Opens or makes the store, checks it and brings its schema up to date. A file that is damaged, foreign, of a newer
// schema or used by another process is refused and left as it is. The destructor commits and answers what waits.
Result<std::unique_ptr<Store>> open_sqlite(const SqliteSettings& settings);

}  // namespace gantry::store
