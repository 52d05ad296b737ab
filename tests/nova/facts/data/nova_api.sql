-- SPDX-License-Identifier: Apache-2.0
-- The columns of the API database's tables that are read, as Nova 26 makes them.
CREATE TABLE cell_mappings (
  created_at DATETIME, updated_at DATETIME, id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid VARCHAR(36) NOT NULL UNIQUE, name VARCHAR(255), transport_url TEXT, database_connection TEXT, disabled TINYINT(1)
);
CREATE TABLE host_mappings (
  created_at DATETIME, updated_at DATETIME, id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  cell_id INT NOT NULL, host VARCHAR(255) NOT NULL UNIQUE
);
CREATE TABLE instance_mappings (
  created_at DATETIME, updated_at DATETIME, id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  instance_uuid VARCHAR(36) NOT NULL UNIQUE, cell_id INT, project_id VARCHAR(255) NOT NULL
);
CREATE TABLE aggregates (
  created_at DATETIME, updated_at DATETIME, id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid VARCHAR(36), name VARCHAR(255) UNIQUE
);
CREATE TABLE aggregate_hosts (
  created_at DATETIME, updated_at DATETIME, id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  host VARCHAR(255), aggregate_id INT NOT NULL, UNIQUE (host, aggregate_id)
);
CREATE TABLE aggregate_metadata (
  created_at DATETIME, updated_at DATETIME, id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `key` VARCHAR(255) NOT NULL, value VARCHAR(255) NOT NULL, aggregate_id INT NOT NULL, UNIQUE (aggregate_id, `key`)
);
