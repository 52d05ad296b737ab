// SPDX-License-Identifier: Apache-2.0
//
// Which instance is on which host of a cell, as it was last read. An instance's updated_at says when it was placed or
// moved. Its deletion does not touch updated_at: the row is mostly seen again, for Nova saves vm_state just before. Each
// whole refresh also reads the instances of the next hosts in turn, and so finds the deletions that were missed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/nova/facts/complaints.hpp"
#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/facts.hpp"
#include "gantry/driver.h"

namespace gantry::nova {

class KnownInstances {
 public:
  struct ReadRow {
    std::int64_t id = 0;
    gantry_uuid uuid{};
    std::string host;  // empty: on no host, or deleted
    std::vector<Complaint> complaints;
  };
  // The rows that a refresh read, and has not applied.
  struct Read {
    std::vector<ReadRow> rows;
    std::vector<std::string> hosts;  // their instances are all among `listed`
    std::vector<ReadRow> listed;
    std::size_t turns = 0;  // the number of the hosts that had their turn
  };

  // Reads a row of the table instances with the columns of placed_instance_columns.
  static ReadRow read_row(Row values);
  Result<Read> read_all(Connection& connection) const;
  Result<Read> read_changes(Connection& connection, const std::string& since) const;
  // Appends all instances of the next hosts in turn. A twelfth of the hosts is read at a time.
  Result<void> read_next_hosts(Connection& connection, Read& read) const;
  // Appends all instances of these hosts.
  Result<void> read_hosts(Connection& connection, std::span<const std::string> hosts, Read& read) const;
  // Remembers the rows, and appends to `out` how they differ from those before.
  void apply(Read read, Complaints& complaints, CellFacts& out);
  // Returns the names of all hosts that had instances.
  std::vector<std::string> hosts() const;

 private:
  struct Hash {
    std::size_t operator()(const gantry_uuid& uuid) const;
  };
  struct Equal {
    bool operator()(const gantry_uuid& a, const gantry_uuid& b) const;
  };
  struct Host {
    std::string name;
    std::vector<gantry_uuid> instances;
  };

  std::uint32_t number_of(const std::string& host);
  void take_off(const gantry_uuid& uuid);
  void apply(const ReadRow& row, CellFacts& out);
  void apply_listed(const Read& read, CellFacts& out);

  std::vector<Host> hosts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // numbers of the hosts in hosts_
  std::unordered_map<gantry_uuid, std::uint32_t, Hash, Equal> host_of_;
  std::size_t next_ = 0;  // the host whose turn is next
};

}  // namespace gantry::nova
