// SPDX-License-Identifier: Apache-2.0
//
// The manager with the bundled driver "simple" and a real store in a directory of its own, begun and ended at will.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/scheduling/service/service_manager.hpp"
#include "core/store/sqlite_store.hpp"
#include "recording_store.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::fault {

using scheduling::Reply;

class Service {
 public:
  Service();
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  Result<void> start();
  void stop();
  bool runs() const { return manager_ != nullptr; }

  // `args` is JSON. call waits for the reply, send does not.
  Reply call(const std::string& method, const std::string& args, const std::string& key = {});
  void send(const std::string& method, const std::string& args, std::function<void(Reply)> done);
  void flush() { store_->flush(); }
  RecordingStore& store() { return *store_; }

  // Everything that its methods show, as text: two that show the same have the same state. The times of heartbeats are
  // left out. Claims that are kept in
  // memory and stored behind are left out if they are not wanted.
  std::string shown(bool with_claims_of_memory = true);
  json::array list(const std::string& method);

  // Of the last start.
  const Documents& loaded() const { return loaded_; }
  // From the last start to the last stop.
  const std::vector<RecordingStore::Submitted>& submitted() const { return submitted_; }

  store::SqliteSettings settings;
  scheduling::ManagerSettings manager_settings;

 private:
  support::ScratchDirectory directory_;
  std::unique_ptr<fleet::Fleet> fleet_;
  std::unique_ptr<RecordingStore> store_;
  std::unique_ptr<scheduling::Manager> manager_;
  Documents loaded_;
  std::vector<RecordingStore::Submitted> submitted_;
};

std::string uuid_of(int number);
// A request for instances with those numbers.
std::string launch(const std::vector<int>& numbers, const std::string& group = {});
std::string report(const std::string& host, const std::string& more = {});

}  // namespace gantry::fault
