// SPDX-License-Identifier: Apache-2.0
//
// SQLite's log beside the store, read before SQLite does: that leaves out without a word whatever follows damage in it.
// https://www.sqlite.org/fileformat2.html#the_write_ahead_log
#pragma once

#include <string>

#include "core/result.hpp"

namespace gantry::store {

// failed_precondition: the log of the store is damaged where it had been synced. What a power loss may leave, as a torn
// last transaction, is sound. To be called by the holder of the store's lock, before SQLite opens the store.
Result<void> check_write_ahead_log(const std::string& store_path);

}  // namespace gantry::store
