// SPDX-License-Identifier: Apache-2.0
//
// The files of a restore: the store that was there goes aside under another name, and the new one takes its place.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"

namespace gantry::store {

// Returns whether there is anything of this name.
bool is_there(const std::string& path);

// Returns the name under which the store that was there is kept. Nothing has that name yet.
std::string free_name(const std::string& store_path, std::int64_t restored_at);

// Moves the store and its log aside. The log goes first: without it, and then without the store, a start finds that
// answered commits are missing, and refuses.
Result<void> move_aside(const std::string& store_path, const std::string& kept_as);

// The file that becomes the store. Removed with the object unless it was put in place.
class Replacement {
 public:
  explicit Replacement(const std::string& store_path) : store_path_(store_path), path_(store_path + ".restoring") {}
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  const std::string& path() const { return path_; }

  // Makes the file, empty, with mode 0600.
  Result<void> make() const;
  Result<void> sync() const;
  Result<void> put_in_place();

 private:
  void remove_files() const;

  const std::string store_path_;
  const std::string path_;
  bool is_in_place_ = false;
};

}  // namespace gantry::store
