// SPDX-License-Identifier: Apache-2.0
//
// A self-signed certificate for localhost and 127.0.0.1, as PEM files in a directory.
#pragma once

#include <string>

namespace gantry::testing {

struct TestCertificate {
  std::string chain;  // paths
  std::string key;
};

// Overwrites those that are there; the key's mode is 0600.
TestCertificate make_certificate(const std::string& directory, int days = 30, const std::string& name = "server");

}  // namespace gantry::testing
