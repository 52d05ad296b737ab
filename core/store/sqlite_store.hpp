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
  // The file of the store. Its directory is made if the directory above exists. Beside the file lie SQLite's <path>-wal
  // and <path>-shm, the lock file <path>.lock and, after a migration from schema N, the copy <path>.v<N>.bak.
  std::string path;
  std::shared_ptr<telemetry::Logger> logger;  // may be null
  std::shared_ptr<telemetry::Counters>
      counters;  // may be null; counts store_transactions, store_batches, store_failed_batches

  // A process that has just let the store go used it until then. Its pages are not read through for damage once more.
  bool was_let_go = false;

  // The limits of one transaction. A batch above bytes_per_transaction gets a transaction of its own.
  std::size_t batches_per_transaction = 512;
  std::size_t bytes_per_transaction = std::size_t{8} << 20;
  // The longest time that a batch of submit_behind waits for further batches before a commit. A commit of a hundred
  // batches costs as much as a commit of one.
  std::chrono::milliseconds behind{10};
  // The largest size of all waiting batches together. A batch that would exceed the limit is refused with
  // resource_exhausted.
  std::size_t bytes_waiting = std::size_t{256} << 20;
  // The largest size of a document and its key. A batch with a larger document is refused with invalid_argument.
  std::size_t bytes_per_document = std::size_t{64} << 20;
  // How often the lock file is looked at while nothing is committed. Each commit looks as well.
  std::chrono::milliseconds lock_interval{5000};
  // SQLite copies the write-ahead log into the file (a checkpoint) when the log has this many pages, and when the store
  // closes.
  std::size_t log_pages = 1000;
  // The largest size of the file, in pages of 4 KiB. 0: the disk is the bound.
  std::size_t pages = 0;
};

// Opens the store, or makes it if the file is missing. Checks the store and migrates its schema. Refuses a file that is
// damaged, lacks answered commits, belongs to another program, has a newer schema or is in use by another process. The
// content of a refused file does not change. The destructor of the store commits and answers all waiting batches.
Result<std::unique_ptr<Store>> open_sqlite(const SqliteSettings& settings);

// Opens the store while another process uses it: reads all documents, and changes nothing before take_over(). If the
// documents cannot be read, or the store has another schema, load() finds none, and all of them count as changes later.
std::unique_ptr<Store> open_sqlite_ahead(const SqliteSettings& settings);

// Checks that this user may make the store at this path or use the one that is there: owner and mode of its directory
// and of its files. Returns the error that open_sqlite would return. Opens and makes nothing.
Result<void> check_sqlite_place(const std::string& path);

}  // namespace gantry::store
