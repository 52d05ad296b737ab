// SPDX-License-Identifier: Apache-2.0
//
// The URL of a database as nova.conf and the table cell_mappings have it: SQLAlchemy's form,
// mysql+pymysql://user:p%40ss@host:3306/nova?charset=utf8&ssl_ca=/etc/ssl/ca.pem
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::config::nova {

// How the connection is encrypted. Empty: as the server has it.
struct Tls {
  bool is_wanted = false;  // one of the URL's parameters asks for TLS
  std::string ca;          // files and a directory in PEM
  std::string ca_path;
  std::string certificate;
  std::string key;
  std::string key_password;  // a secret
  std::string cipher;
  // The server's certificate must be that of the host which the URL names. A URL with an authority wants this unless it
  // says ssl_check_hostname=false.
  bool verifies_host = false;
};

struct DatabaseUrl {
  std::string user;
  std::string password;
  std::string host = "localhost";  // reached over TCP, also under this name
  std::uint16_t port = 3306;
  std::string unix_socket;   // used instead of host and port if not empty
  std::string bind_address;  // this machine's address for the connection; empty: any
  std::string database;
  Tls tls;
  // Bounds that the URL itself names.
  std::optional<std::chrono::seconds> connect_timeout;
  std::optional<std::chrono::seconds> read_timeout;
  std::optional<std::chrono::seconds> write_timeout;
  // A sentence for each parameter that a Python client follows and Gantry does not. None holds a value.
  std::vector<std::string> remarks;
};

// Reads the URL of a MySQL or MariaDB database, and the file of the client's options that it names as read_default_file.
// Takes what the Python clients of MySQL and MariaDB take. Refuses other servers by name, and parameters that no client
// knows. An error never repeats a part of the URL that could belong to the password.
Result<DatabaseUrl> parse_database_url(std::string_view text);

// Returns the database and its server in words, without user and password: "nova_api at db1:3306".
std::string place_of(const DatabaseUrl& url);

// Fills the fields of a template such as "{scheme}://{username}:{password}@{hostname}:{port}/nova_cell1?{query}" from
// the URL `from`, as Nova fills those of cell_mappings from [database] connection. Text without braces stays as it is.
Result<std::string> filled_url(std::string_view pattern, std::string_view from);

}  // namespace gantry::config::nova
