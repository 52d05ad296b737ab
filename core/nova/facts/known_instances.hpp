// SPDX-License-Identifier: Apache-2.0
//
// Which instance is on which host of a cell, as it was last read. An instance's updated_at says when it was placed or
// moved. Its deletion does not touch updated_at: the row is mostly seen again, for Nova saves vm_state just before. Each
// whole refresh also reads the instances of the next hosts in turn, and so finds the deletions that were missed.
//
// The system metadata of an instance says what its image is. Nova changes it at the first boot and at a rebuild, shortly
// before it changes the instance's own row: it is read again with each row that is read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/encoding/json.hpp"
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
    // The properties of the image. nullopt: they were not read.
    std::optional<json::object> image = {};
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
  // Reads the properties of the images of all instances in `read` that are on a host. Deleted rows of metadata count, as
  // they do for Nova: of equal keys, the last row.
  static Result<void> read_images(Connection& connection, Read& read);
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
  struct Place {
    std::uint32_t host = 0;  // number in hosts_
    std::size_t image = 0;   // hash of the image's properties; 0: not known
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
  std::unordered_map<gantry_uuid, Place, Hash, Equal> place_of_;
  std::size_t next_ = 0;  // the host whose turn is next
};

}  // namespace gantry::nova
