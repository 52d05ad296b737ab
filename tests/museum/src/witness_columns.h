/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells the columns of the core and of reports, a line for each. */
#ifndef GANTRY_MUSEUM_WITNESS_COLUMNS_H
#define GANTRY_MUSEUM_WITNESS_COLUMNS_H

#include "witness.h"

#define WITNESS_COLUMNS                                                                                             \
  "uses = ['hypervisor_hostname', 'uuid', 'forced_down', 'disabled_reason', 'availability_zone', 'last_seen_up',\n" \
  "  'updated_at', 'memory_mb', 'local_gb', 'vcpus_used', 'memory_mb_used', 'local_gb_used', 'free_ram_mb',\n"      \
  "  'free_disk_gb', 'disk_available_least', 'cpu_allocation_ratio', 'ram_allocation_ratio',\n"                     \
  "  'disk_allocation_ratio', 'running_vms', 'current_workload', 'hypervisor_type', 'hypervisor_version',\n"        \
  "  'host_ip', 'cpu_info', 'supported_instances', 'pci_stats', 'numa_topology', 'metrics', 'stats',\n"             \
  "  'capabilities', 'aggregates', 'instances', 'claims.vcpu', 'claims.memory_mb', 'claims.disk_gb',\n"             \
  "  'claims.instances', 'image_properties', 'stats.rack:string', 'stats.power_w:i64', 'stats.load:f64',\n"         \
  "  'stats.green:bool']\n"

static const struct {
  gantry_string name;
  int32_t type;
} known_columns[] = {
#define COLUMN(name, type) \
  { {name, sizeof(name) - 1}, GANTRY_TYPE_##type }
    COLUMN("host", STRING),
    COLUMN("hypervisor_hostname", STRING),
    COLUMN("uuid", STRING),
    COLUMN("up", BOOL),
    COLUMN("disabled", BOOL),
    COLUMN("forced_down", BOOL),
    COLUMN("disabled_reason", STRING),
    COLUMN("availability_zone", STRING),
    COLUMN("last_seen_up", I64),
    COLUMN("updated_at", I64),
    COLUMN("vcpus", I64),
    COLUMN("memory_mb", I64),
    COLUMN("local_gb", I64),
    COLUMN("vcpus_used", F64),
    COLUMN("memory_mb_used", F64),
    COLUMN("local_gb_used", F64),
    COLUMN("free_ram_mb", F64),
    COLUMN("free_disk_gb", F64),
    COLUMN("disk_available_least", I64),
    COLUMN("cpu_allocation_ratio", F64),
    COLUMN("ram_allocation_ratio", F64),
    COLUMN("disk_allocation_ratio", F64),
    COLUMN("running_vms", I64),
    COLUMN("current_workload", I64),
    COLUMN("hypervisor_type", STRING),
    COLUMN("hypervisor_version", I64),
    COLUMN("host_ip", STRING),
    COLUMN("cpu_info", JSON),
    COLUMN("supported_instances", JSON),
    COLUMN("pci_stats", JSON),
    COLUMN("numa_topology", JSON),
    COLUMN("metrics", JSON),
    COLUMN("stats", JSON),
    COLUMN("capabilities", JSON),
    COLUMN("aggregates", SET),
    COLUMN("instances", UUIDS),
    COLUMN("claims.vcpu", F64),
    COLUMN("claims.memory_mb", F64),
    COLUMN("claims.disk_gb", F64),
    COLUMN("claims.instances", F64),
    COLUMN("image_properties", JSON),
    COLUMN("stats.rack", STRING),
    COLUMN("stats.power_w", I64),
    COLUMN("stats.load", F64),
    COLUMN("stats.green", BOOL),
#undef COLUMN
};

static void add_text(line_text* line, gantry_string text) {
  if (text.size <= 24) {
    add(line, " %.*s", SHOWN(text));
  } else {
    add(line, " %lu#%08lx", (unsigned long)text.size, digest(text.data, text.size));
  }
}

static void add_slice(line_text* line, const gantry_column* column, gantry_slice slice) {
  add(line, " (");
  for (uint32_t at = slice.begin; at < slice.begin + slice.count; ++at) {
    if (column->type == GANTRY_TYPE_UUIDS) {
      add(line, " %08lx", digest(((const gantry_uuid*)column->elements)[at].bytes, 16));
    } else {
      add(line, " %lu", (unsigned long)((const uint32_t*)column->elements)[at]);
    }
  }
  add(line, " )");
}

static void add_value(line_text* line, const gantry_column* column, uint32_t row) {
  const void* const values = column->values;
  const uint32_t code =
      column->type == GANTRY_TYPE_STRING || column->type == GANTRY_TYPE_SET ? ((const uint32_t*)values)[row] : 0;
  switch (column->type) {
    case GANTRY_TYPE_BOOL: add(line, " %d", bit(values, row)); break;
    case GANTRY_TYPE_I64: add(line, " %ld", (long)((const int64_t*)values)[row]); break;
    case GANTRY_TYPE_F64: add(line, " %.17g", ((const double*)values)[row]); break;
    case GANTRY_TYPE_STRING: add_text(line, ((const gantry_string*)column->dictionary)[code]); break;
    case GANTRY_TYPE_SET: add_slice(line, column, ((const gantry_slice*)column->dictionary)[code]); break;
    case GANTRY_TYPE_JSON: add_text(line, ((const gantry_json*)values)[row].text); break;
    case GANTRY_TYPE_UUIDS: add_slice(line, column, ((const gantry_slice*)values)[row]); break;
    default: add(line, " ?"); break;
  }
}

/* Tells a column; equal values of rows that follow each other are told once. */
static void tell_column(const gantry_driver* driver, const char* at, const gantry_column* column, uint32_t rows) {
  line_text line = {.size = 0};
  line_text last = {.size = -1};
  unsigned long times = 0;
  for (uint32_t row = 0; row <= rows; ++row) {
    line_text value = {.size = 0};
    if (row < rows && column->validity != NULL && !bit(column->validity, row)) {
      add(&value, " -");
    } else if (row < rows) {
      add_value(&value, column, row);
    }
    const int is_equal =
        row < rows && value.size == last.size && __builtin_memcmp(value.text, last.text, (size_t)value.size) == 0;
    if (is_equal) {
      ++times;
      continue;
    }
    if (last.size >= 0) add(&line, "%.*s", last.size, last.text);
    if (last.size >= 0 && times > 1) add(&line, " *%lu", times);
    last.size = value.size;
    __builtin_memcpy(last.text, value.text, (size_t)value.size);
    times = 1;
  }
  say(driver, "%s %.*s: type %ld, struct_size %s,%.*s", at, SHOWN(column->name), (long)column->type,
      column->struct_size >= sizeof *column ? "holds all" : "too small", line.size, line.text);
  if (((uintptr_t)column->values % 64) != 0 || ((uintptr_t)column->validity % 64) != 0)
    say(driver, "%s %.*s: not at a multiple of 64 bytes", at, SHOWN(column->name));
}

/* Tells each known column of the view, as column() gives it and as a walk by the stride finds it. */
static void tell_columns(const gantry_driver* driver, const gantry_view* view) {
  for (uint64_t each = 0; each < sizeof known_columns / sizeof *known_columns; ++each) {
    const gantry_string name = known_columns[each].name;
    const gantry_column* const column = driver->host->column(driver->call, view, name);
    const char* at = (const char*)view->columns;
    const gantry_column* walked = NULL;
    for (uint32_t index = 0; index < view->column_count; ++index, at += view->column_stride)
      if (is_same(((const gantry_column*)at)->name, name)) walked = (const gantry_column*)at;
    if (column == NULL) {
      say(driver, "column %.*s: none", SHOWN(name));
    } else if (column->type != known_columns[each].type) {
      say(driver, "column %.*s: type %ld", SHOWN(name), (long)column->type);
    } else {
      tell_column(driver, "column", column, view->rows);
    }
    if (walked != NULL && (column == NULL || walked->values != column->values))
      say(driver, "column %.*s: the walk finds another one", SHOWN(name));
  }
  say(driver, "view.generation %s", view->generation != 0 ? "is set" : "is 0");
}

#endif
