// SPDX-License-Identifier: Apache-2.0
//
// A MariaDB server of the test program's own, in a directory of its own. It listens on a unix socket alone.
#pragma once

#include <sys/types.h>

#include <string>

#include "tests/support/scratch_directory.hpp"

namespace gantry::nova {

class MariaDb {
 public:
  // Returns the server, which the first call starts. It ends with the program.
  static MariaDb& server();
  static bool is_installed();

  ~MariaDb();
  MariaDb(const MariaDb&) = delete;
  MariaDb& operator=(const MariaDb&) = delete;

  // End and start the server. Its databases stay.
  void stop();
  void start();

  // Returns the file of the authority that signed the server's certificate for localhost, and of one that did not.
  std::string authority() const { return directory_.path("ca.pem"); }
  std::string other_authority() const { return directory_.path("other.pem"); }

  // Returns the URL of a database for the user who may do everything.
  std::string url(const std::string& database) const { return url(database, "root", ""); }
  std::string url(const std::string& database, const std::string& user, const std::string& password) const;

 private:
  MariaDb();
  void make_certificates() const;

  support::ScratchDirectory directory_;
  pid_t process_ = 0;
};

}  // namespace gantry::nova
