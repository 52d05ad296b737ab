// SPDX-License-Identifier: Apache-2.0
//
// A test with the databases of a Nova deployment, nova_api and nova_cell1, made afresh for it.
#pragma once

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>

#include "core/nova/facts/api_reader.hpp"
#include "core/nova/facts/cell_reader.hpp"
#include "tests/nova/facts/server/mariadb.hpp"

namespace gantry::nova {

class Deployment : public testing::Test {
 protected:
  void SetUp() override;

  // Runs statements as a user who may do everything. They end with ";\n" or the text.
  static void run_in(const std::string& database, const std::string& sql);
  static void in_cell(const std::string& sql) { run_in("nova_cell1", sql); }
  static void in_api(const std::string& sql) { run_in("nova_api", sql); }

  static Connection open(const std::string& database) { return open_url(MariaDb::server().url(database)); }
  static Connection open_url(const std::string& url, Timeouts timeouts = {});

  // Puts rows into the cell that were made a day ago.
  static void add_service(const std::string& host);
  static void add_node(const std::string& host);
  static void add_instance(const std::string& uuid, const std::string& host);

  // Load and refresh over a connection of the test's own. A failure fails the test.
  CellFacts load_cell();
  CellFacts refresh_cell(Depth depth = Depth::changes);
  ApiFacts load_api();
  ApiFacts refresh_api(Depth depth = Depth::changes);

  CellReader cell_;
  ApiReader api_;
};

// Returns true if there is nothing in it.
bool is_empty(const CellFacts& facts);
bool is_empty(const ApiFacts& facts);

// Returns the uuid 00000000-0000-4000-8000-<number>.
std::string uuid_of(int number);

}  // namespace gantry::nova
