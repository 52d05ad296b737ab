// SPDX-License-Identifier: Apache-2.0
//
// The gantryd that is measured: the program as it ships, with a driver, a fleet, a store and a unix socket of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "service_child.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::bench {

// A scratch directory for one run. Only its user may write to it, since drivers are loaded from it.
class RunDirectory {
 public:
  RunDirectory();
  const std::filesystem::path& path() const { return path_; }

 private:
  support::ScratchDirectory directory_;
  std::filesystem::path path_;
};

// Waits until `child` listens at `socket`.
void await_socket(const Child& child, const std::string& socket);

class ServiceUnderTest {
 public:
  // `directory` is made; no other service may have used it.
  ServiceUnderTest(const std::filesystem::path& directory, const std::string& driver, std::size_t hosts,
                   unsigned workers);

  const std::string& socket() const { return socket_; }
  std::string store_path() const { return (directory_ / "gantry.db").string(); }
  double processor_seconds() const { return daemon_->processor_seconds(); }
  std::uint64_t written_bytes() const { return daemon_->written_bytes(); }

  struct Commits {
    std::uint64_t transactions = 0;
    std::uint64_t batches = 0;
  };
  Commits commits() const;  // so far

 private:
  std::filesystem::path directory_;
  std::string socket_;
  std::unique_ptr<Child> daemon_;
};

}  // namespace gantry::bench
