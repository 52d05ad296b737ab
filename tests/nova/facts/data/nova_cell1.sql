-- SPDX-License-Identifier: Apache-2.0
-- The columns of a cell's tables that are read, with the indexes that the questions rest on, as Nova 26 makes them.
CREATE TABLE services (
  created_at DATETIME, updated_at DATETIME, deleted_at DATETIME, deleted INT,
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, uuid VARCHAR(36) UNIQUE,
  host VARCHAR(255), `binary` VARCHAR(255), topic VARCHAR(255), report_count INT NOT NULL,
  disabled TINYINT(1), disabled_reason VARCHAR(255), last_seen_up DATETIME, forced_down TINYINT(1), version INT,
  UNIQUE (host, topic, deleted), UNIQUE (host, `binary`, deleted)
);
CREATE TABLE compute_nodes (
  created_at DATETIME, updated_at DATETIME, deleted_at DATETIME, deleted INT,
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, service_id INT, host VARCHAR(255), uuid VARCHAR(36) UNIQUE,
  vcpus INT NOT NULL, memory_mb INT NOT NULL, local_gb INT NOT NULL,
  vcpus_used INT NOT NULL, memory_mb_used INT NOT NULL, local_gb_used INT NOT NULL,
  hypervisor_type MEDIUMTEXT NOT NULL, hypervisor_version INT NOT NULL, hypervisor_hostname VARCHAR(255),
  free_ram_mb INT, free_disk_gb INT, current_workload INT, running_vms INT,
  cpu_info MEDIUMTEXT NOT NULL, disk_available_least INT, host_ip VARCHAR(39),
  supported_instances TEXT, metrics TEXT, pci_stats TEXT, extra_resources TEXT, stats TEXT, numa_topology TEXT,
  ram_allocation_ratio FLOAT, cpu_allocation_ratio FLOAT, disk_allocation_ratio FLOAT, mapped INT,
  UNIQUE (host, hypervisor_hostname, deleted)
);
CREATE TABLE instances (
  created_at DATETIME, updated_at DATETIME, deleted_at DATETIME, deleted INT,
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, uuid VARCHAR(36) NOT NULL UNIQUE, project_id VARCHAR(255),
  host VARCHAR(255), node VARCHAR(255), vm_state VARCHAR(255), task_state VARCHAR(255), cleaned INT,
  KEY (updated_at, project_id), KEY (deleted, created_at), KEY (host, node, deleted), KEY (host, deleted, cleaned)
);
CREATE TABLE instance_system_metadata (
  created_at DATETIME, updated_at DATETIME, deleted_at DATETIME, deleted INT,
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, instance_uuid VARCHAR(36) NOT NULL, `key` VARCHAR(255) NOT NULL,
  value VARCHAR(255), KEY (instance_uuid)
);
