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
  // The file of the store. Its directory is made if the directory above exists. Beside it lie <path>-wal and <path>-shm
  // of SQLite, <path>.lock and, after a migration, <path>.v<N>.bak.
  std::string path;
  std::shared_ptr<telemetry::Logger> logger;  // may be null
  std::shared_ptr<telemetry::Counters>
      counters;  // may be null; store_transactions, store_batches, store_failed_batches

  // Bounds of one transaction. The first waiting batch is taken in any size.
  std::size_t batches_per_transaction = 512;
  std::size_t bytes_per_transaction = std::size_t{8} << 20;
  // The longest wait of a batch of submit_behind for further batches. One commit costs the same for one batch as for a
  // hundred.
  std::chrono::milliseconds behind{10};
  // The bound of all waiting batches. A batch beyond it is answered with resource_exhausted.
  std::size_t bytes_waiting = std::size_t{256} << 20;
  std::size_t bytes_per_document = std::size_t{64} << 20;
  // SQLite checkpoints the log into the file at this many pages, and when the store closes.
  std::size_t log_pages = 1000;
  // The largest size of the file, in pages of 4 KiB. 0: the disk is the bound.
  std::size_t pages = 0;
};

// Opens or makes the store, checks it and migrates its schema. Refuses, and leaves unchanged, a file that is damaged,
// that lacks answered commits, of another program, of a newer schema, or in use by another process. The destructor of
// the store commits and answers all waiting batches.
Result<std::unique_ptr<Store>> open_sqlite(const SqliteSettings& settings);

}  // namespace gantry::store
