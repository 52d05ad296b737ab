// SPDX-License-Identifier: Apache-2.0
//
// The layout of driver.h in 1.0: size, offset and exact type of each field, and the value of each constant.
// frozen.c includes the file, below frozen.h.
#include <gantry/driver.h>

// ---- constants
FROZEN(GANTRY_MAGIC == 0x59524e47u);

FROZEN(GANTRY_OK == 0);
FROZEN(GANTRY_NO_VALID_HOST == 1);
FROZEN(GANTRY_INVALID_ARGUMENT == 2);
FROZEN(GANTRY_UNSUPPORTED == 3);
FROZEN(GANTRY_DEADLINE_EXCEEDED == 4);
FROZEN(GANTRY_RESOURCE_EXHAUSTED == 5);
FROZEN(GANTRY_CLAIM_LOST == 6);
FROZEN(GANTRY_INTERNAL == 7);

FROZEN(GANTRY_LOG_DEBUG == 0);
FROZEN(GANTRY_LOG_INFO == 1);
FROZEN(GANTRY_LOG_WARNING == 2);
FROZEN(GANTRY_LOG_ERROR == 3);

FROZEN(GANTRY_TYPE_BOOL == 1);
FROZEN(GANTRY_TYPE_I64 == 2);
FROZEN(GANTRY_TYPE_F64 == 3);
FROZEN(GANTRY_TYPE_STRING == 4);
FROZEN(GANTRY_TYPE_SET == 5);
FROZEN(GANTRY_TYPE_JSON == 6);
FROZEN(GANTRY_TYPE_UUIDS == 7);

FROZEN(GANTRY_REQUEST_VCPUS == 1);
FROZEN(GANTRY_REQUEST_MEMORY_MB == 2);
FROZEN(GANTRY_REQUEST_ROOT_GB == 4);
FROZEN(GANTRY_REQUEST_EPHEMERAL_GB == 8);
FROZEN(GANTRY_REQUEST_SWAP_MB == 16);
FROZEN(GANTRY_REQUEST_IS_BFV == 32);

FROZEN(GANTRY_EXPLAIN_NONE == 0);
FROZEN(GANTRY_EXPLAIN_HOSTS == 1);
FROZEN(GANTRY_EXPLAIN_ALL_FILTERS == 2);

FROZEN(GANTRY_LIMIT_VCPU == 1);
FROZEN(GANTRY_LIMIT_MEMORY_MB == 2);
FROZEN(GANTRY_LIMIT_DISK_GB == 4);
FROZEN(GANTRY_PICK_WEIGHT == 8);
FROZEN(GANTRY_CLAIM_LIMIT == 16);
FROZEN(GANTRY_PICK_APART == 32);
FROZEN(GANTRY_PICK_TOGETHER == 64);

FROZEN(GANTRY_OPTION_BOOLEAN == 1);
FROZEN(GANTRY_OPTION_INTEGER == 2);
FROZEN(GANTRY_OPTION_REAL == 3);
FROZEN(GANTRY_OPTION_STRING == 4);
FROZEN(GANTRY_OPTION_STRINGS == 5);
FROZEN(GANTRY_OPTION_TABLE == 6);

FROZEN(sizeof(void*) == 8);

// ---- gantry_string
SIZE(gantry_string, 16);
FIELD(gantry_string, data, 0, const char*);
FIELD(gantry_string, size, 8, uint64_t);

// ---- gantry_strings
SIZE(gantry_strings, 16);
FIELD(gantry_strings, items, 0, const gantry_string*);
FIELD(gantry_strings, count, 8, uint64_t);

// ---- gantry_pair
SIZE(gantry_pair, 32);
FIELD(gantry_pair, key, 0, gantry_string);
FIELD(gantry_pair, value, 16, gantry_string);

// ---- gantry_pairs
SIZE(gantry_pairs, 16);
FIELD(gantry_pairs, items, 0, const gantry_pair*);
FIELD(gantry_pairs, count, 8, uint64_t);

// ---- gantry_uuid
SIZE(gantry_uuid, 16);
FIELD(gantry_uuid, bytes, 0, uint8_t[16]);

// ---- gantry_slice
SIZE(gantry_slice, 8);
FIELD(gantry_slice, begin, 0, uint32_t);
FIELD(gantry_slice, count, 4, uint32_t);

// ---- gantry_json
SIZE(gantry_json, 24);
FIELD(gantry_json, text, 0, gantry_string);
FIELD(gantry_json, version, 16, uint64_t);

// ---- gantry_column
GREW(gantry_column, 72);
FIELD(gantry_column, name, 0, gantry_string);
FIELD(gantry_column, type, 16, int32_t);
FIELD(gantry_column, struct_size, 20, uint32_t);
FIELD(gantry_column, values, 24, const void*);
FIELD(gantry_column, validity, 32, const uint64_t*);
FIELD(gantry_column, dictionary, 40, const void*);
FIELD(gantry_column, dictionary_count, 48, uint64_t);
FIELD(gantry_column, dictionary_version, 56, uint64_t);
FIELD(gantry_column, elements, 64, const void*);

// ---- gantry_aggregate
GREW(gantry_aggregate, 56);
FIELD(gantry_aggregate, id, 0, int64_t);
FIELD(gantry_aggregate, uuid, 8, gantry_string);
FIELD(gantry_aggregate, name, 24, gantry_string);
FIELD(gantry_aggregate, metadata, 40, gantry_pairs);

// ---- gantry_view
GREW(gantry_view, 64);
FIELD(gantry_view, struct_size, 0, uint32_t);
FIELD(gantry_view, rows, 4, uint32_t);
FIELD(gantry_view, generation, 8, uint64_t);
FIELD(gantry_view, topic, 16, gantry_string);
FIELD(gantry_view, columns, 32, const gantry_column*);
FIELD(gantry_view, column_count, 40, uint32_t);
FIELD(gantry_view, column_stride, 44, uint32_t);
FIELD(gantry_view, aggregates, 48, const gantry_aggregate*);
FIELD(gantry_view, aggregate_count, 56, uint32_t);
FIELD(gantry_view, aggregate_stride, 60, uint32_t);

// ---- gantry_writable
GREW(gantry_writable, 24);
FIELD(gantry_writable, struct_size, 0, uint32_t);
FIELD(gantry_writable, reserved0, 4, uint32_t);
FIELD(gantry_writable, values, 8, void*);
FIELD(gantry_writable, validity, 16, uint64_t*);

// ---- gantry_context
GREW(gantry_context, 104);
FIELD(gantry_context, struct_size, 0, uint32_t);
FIELD(gantry_context, is_admin, 4, int32_t);
FIELD(gantry_context, request_id, 8, gantry_string);
FIELD(gantry_context, user_id, 24, gantry_string);
FIELD(gantry_context, project_id, 40, gantry_string);
FIELD(gantry_context, remote_address, 56, gantry_string);
FIELD(gantry_context, roles, 72, gantry_strings);
FIELD(gantry_context, json, 88, gantry_string);

// ---- gantry_group
GREW(gantry_group, 120);
FIELD(gantry_group, struct_size, 0, uint32_t);
FIELD(gantry_group, reserved0, 4, uint32_t);
FIELD(gantry_group, uuid, 8, gantry_string);
FIELD(gantry_group, name, 24, gantry_string);
FIELD(gantry_group, policy, 40, gantry_string);
FIELD(gantry_group, rules, 56, gantry_string);
FIELD(gantry_group, members, 72, gantry_strings);
FIELD(gantry_group, member_rows, 88, const uint32_t*);
FIELD(gantry_group, member_row_count, 96, uint64_t);
FIELD(gantry_group, hosts, 104, gantry_strings);

// ---- gantry_hint
GREW(gantry_hint, 32);
FIELD(gantry_hint, key, 0, gantry_string);
FIELD(gantry_hint, values, 16, gantry_strings);

// ---- gantry_request
GREW(gantry_request, 400);
FIELD(gantry_request, struct_size, 0, uint32_t);
FIELD(gantry_request, instances, 4, uint32_t);
FIELD(gantry_request, alternates, 8, uint32_t);
FIELD(gantry_request, present, 12, uint32_t);
FIELD(gantry_request, view, 16, const gantry_view*);
FIELD(gantry_request, complete, 24, const uint64_t*);
FIELD(gantry_request, instance_uuids, 32, gantry_strings);
FIELD(gantry_request, vcpus, 48, int64_t);
FIELD(gantry_request, memory_mb, 56, int64_t);
FIELD(gantry_request, root_gb, 64, int64_t);
FIELD(gantry_request, ephemeral_gb, 72, int64_t);
FIELD(gantry_request, swap_mb, 80, int64_t);
FIELD(gantry_request, is_bfv, 88, int64_t);
FIELD(gantry_request, disk_gb, 96, double);
FIELD(gantry_request, flavor, 104, gantry_string);
FIELD(gantry_request, extra_specs, 120, gantry_pairs);
FIELD(gantry_request, image_properties, 136, gantry_pairs);
FIELD(gantry_request, availability_zone, 152, gantry_string);
FIELD(gantry_request, project_id, 168, gantry_string);
FIELD(gantry_request, user_id, 184, gantry_string);
FIELD(gantry_request, force_hosts, 200, gantry_strings);
FIELD(gantry_request, force_nodes, 216, gantry_strings);
FIELD(gantry_request, ignore_hosts, 232, gantry_strings);
FIELD(gantry_request, requested_host, 248, gantry_string);
FIELD(gantry_request, requested_node, 264, gantry_string);
FIELD(gantry_request, retry_hosts, 280, const gantry_pair*);
FIELD(gantry_request, retry_host_count, 288, uint64_t);
FIELD(gantry_request, retry_attempts, 296, uint64_t);
FIELD(gantry_request, hints, 304, const gantry_hint*);
FIELD(gantry_request, hint_count, 312, uint32_t);
FIELD(gantry_request, hint_stride, 316, uint32_t);
FIELD(gantry_request, group, 320, const gantry_group*);
FIELD(gantry_request, spec, 328, gantry_string);
FIELD(gantry_request, filter_properties, 344, gantry_string);
FIELD(gantry_request, original, 360, gantry_string);
FIELD(gantry_request, explain_hosts, 376, uint32_t);
FIELD(gantry_request, reserved0, 380, uint32_t);
FIELD(gantry_request, eligible, 384, const uint64_t*);
FIELD(gantry_request, claimable, 392, const uint64_t*);

// ---- gantry_method_call
GREW(gantry_method_call, 72);
FIELD(gantry_method_call, struct_size, 0, uint32_t);
FIELD(gantry_method_call, reserved0, 4, uint32_t);
FIELD(gantry_method_call, topic, 8, gantry_string);
FIELD(gantry_method_call, method, 24, gantry_string);
FIELD(gantry_method_call, args, 40, gantry_string);
FIELD(gantry_method_call, view, 56, const gantry_view*);
FIELD(gantry_method_call, complete, 64, const uint64_t*);

// ---- gantry_limits
SIZE(gantry_limits, 40);
FIELD(gantry_limits, vcpu, 0, double);
FIELD(gantry_limits, memory_mb, 8, double);
FIELD(gantry_limits, disk_gb, 16, double);
FIELD(gantry_limits, other, 24, gantry_string);

// ---- gantry_pick
GREW(gantry_pick, 88);
FIELD(gantry_pick, struct_size, 0, uint32_t);
FIELD(gantry_pick, instance, 4, uint32_t);
FIELD(gantry_pick, row, 8, uint32_t);
FIELD(gantry_pick, present, 12, uint32_t);
FIELD(gantry_pick, weight, 16, double);
FIELD(gantry_pick, limits, 24, gantry_limits);
FIELD(gantry_pick, items, 64, const gantry_claim_item*);
FIELD(gantry_pick, item_count, 72, uint32_t);
FIELD(gantry_pick, item_stride, 76, uint32_t);
FIELD(gantry_pick, group_limit, 80, uint32_t);
FIELD(gantry_pick, reserved0, 84, uint32_t);

// ---- gantry_claim_item
GREW(gantry_claim_item, 40);
FIELD(gantry_claim_item, resource, 0, gantry_string);
FIELD(gantry_claim_item, amount, 16, double);
FIELD(gantry_claim_item, limit, 24, double);
FIELD(gantry_claim_item, present, 32, uint32_t);
FIELD(gantry_claim_item, reserved0, 36, uint32_t);

// ---- gantry_claim
GREW(gantry_claim, 40);
FIELD(gantry_claim, struct_size, 0, uint32_t);
FIELD(gantry_claim, row, 4, uint32_t);
FIELD(gantry_claim, consumer, 8, gantry_string);
FIELD(gantry_claim, items, 24, const gantry_claim_item*);
FIELD(gantry_claim, item_count, 32, uint32_t);
FIELD(gantry_claim, item_stride, 36, uint32_t);

// ---- gantry_cast
GREW(gantry_cast, 56);
FIELD(gantry_cast, struct_size, 0, uint32_t);
FIELD(gantry_cast, row, 4, uint32_t);
FIELD(gantry_cast, consumer, 8, gantry_string);
FIELD(gantry_cast, method, 24, gantry_string);
FIELD(gantry_cast, args, 40, gantry_string);

// ---- gantry_step
GREW(gantry_step, 56);
FIELD(gantry_step, struct_size, 0, uint32_t);
FIELD(gantry_step, instance, 4, uint32_t);
FIELD(gantry_step, name, 8, gantry_string);
FIELD(gantry_step, hosts_in, 24, uint64_t);
FIELD(gantry_step, hosts_out, 32, uint64_t);
FIELD(gantry_step, reason, 40, gantry_string);

// ---- gantry_location
GREW(gantry_location, 128);
FIELD(gantry_location, struct_size, 0, uint32_t);
FIELD(gantry_location, row, 4, uint32_t);
FIELD(gantry_location, host, 8, gantry_string);
FIELD(gantry_location, node, 24, gantry_string);
FIELD(gantry_location, availability_zone, 40, gantry_string);
FIELD(gantry_location, flavor, 56, gantry_string);
FIELD(gantry_location, project_id, 72, gantry_string);
FIELD(gantry_location, vm_state, 88, gantry_string);
FIELD(gantry_location, vcpus, 104, int64_t);
FIELD(gantry_location, memory_mb, 112, int64_t);
FIELD(gantry_location, disk_gb, 120, double);

// ---- gantry_host
GREW(gantry_host, 232);
FIELD(gantry_host, struct_size, 0, uint32_t);
FIELD(gantry_host, abi_major, 4, uint16_t);
FIELD(gantry_host, abi_minor, 6, uint16_t);
FIELD(gantry_host, name, 8, gantry_string);
FIELD(gantry_host, version, 24, gantry_string);
FIELD(gantry_host, log, 40, void (*)(const gantry_host*, const gantry_call*, int32_t, gantry_string));
FIELD(gantry_host, log_enabled, 48, int32_t (*)(const gantry_host*, int32_t));
FIELD(gantry_host, count, 56, void (*)(const gantry_host*, gantry_string, uint64_t));
FIELD(gantry_host, extension, 64, const void* (*)(const gantry_host*, gantry_string));
FIELD(gantry_host, fail, 72, gantry_code (*)(gantry_call*, gantry_code, gantry_string));
FIELD(gantry_host, context, 80, const gantry_context* (*)(gantry_call*));
FIELD(gantry_host, should_stop, 88, int32_t (*)(gantry_call*));
FIELD(gantry_host, time_left_ns, 96, int64_t (*)(gantry_call*));
FIELD(gantry_host, now, 104, int64_t (*)(gantry_call*));
FIELD(gantry_host, random, 112, uint64_t (*)(gantry_call*));
FIELD(gantry_host, scratch, 120, void* (*)(gantry_call*, uint64_t, uint64_t));
FIELD(gantry_host, column, 128, const gantry_column* (*)(gantry_call*, const gantry_view*, gantry_string));
FIELD(gantry_host, view, 136, const gantry_view* (*)(gantry_call*, gantry_string));
FIELD(gantry_host, locate, 144, gantry_code (*)(gantry_call*, gantry_string, gantry_location*));
FIELD(gantry_host, derive, 152, const gantry_view* (*)(gantry_call*, const gantry_view*));
FIELD(gantry_host, write, 160, gantry_code (*)(gantry_call*, const gantry_view*, gantry_string, gantry_writable*));
FIELD(gantry_host, append, 168,
      gantry_code (*)(gantry_call*, const gantry_view*, gantry_string, uint32_t, const void*));
FIELD(gantry_host, pick, 176, gantry_code (*)(gantry_call*, const gantry_pick*));
FIELD(gantry_host, alternate, 184, gantry_code (*)(gantry_call*, const gantry_pick*));
FIELD(gantry_host, refuse, 192, gantry_code (*)(gantry_call*, uint32_t, gantry_string));
FIELD(gantry_host, explain, 200, void (*)(gantry_call*, const gantry_step*));
FIELD(gantry_host, claim, 208, gantry_code (*)(gantry_call*, const gantry_claim*));
FIELD(gantry_host, reply, 216, gantry_code (*)(gantry_call*, gantry_string));
FIELD(gantry_host, cast, 224, gantry_code (*)(gantry_call*, const gantry_cast*));

// ---- gantry_option
GREW(gantry_option, 88);
FIELD(gantry_option, name, 0, gantry_string);
FIELD(gantry_option, type, 16, int32_t);
FIELD(gantry_option, is_default, 20, int32_t);
FIELD(gantry_option, integer, 24, int64_t);
FIELD(gantry_option, real, 32, double);
FIELD(gantry_option, string, 40, gantry_string);
FIELD(gantry_option, strings, 56, gantry_strings);
FIELD(gantry_option, table, 72, gantry_pairs);

// ---- gantry_options
GREW(gantry_options, 24);
FIELD(gantry_options, struct_size, 0, uint32_t);
FIELD(gantry_options, option_stride, 4, uint32_t);
FIELD(gantry_options, options, 8, const gantry_option*);
FIELD(gantry_options, option_count, 16, uint64_t);

// ---- gantry_driver_ops
GREW(gantry_driver_ops, 80);
FIELD(gantry_driver_ops, struct_size, 0, uint32_t);
FIELD(gantry_driver_ops, reserved0, 4, uint32_t);
FIELD(gantry_driver_ops, create, 8,
      gantry_code (*)(const gantry_host*, gantry_call*, const gantry_options*, gantry_driver**));
FIELD(gantry_driver_ops, destroy, 16, void (*)(gantry_driver*));
FIELD(gantry_driver_ops, select_destinations, 24, gantry_code (*)(gantry_driver*, gantry_call*, const gantry_request*));
FIELD(gantry_driver_ops, schedule_run_instance, 32,
      gantry_code (*)(gantry_driver*, gantry_call*, const gantry_request*));
FIELD(gantry_driver_ops, hosts_up, 40, gantry_code (*)(gantry_driver*, gantry_call*, const gantry_view*, uint64_t*));
FIELD(gantry_driver_ops, group_hosts, 48,
      gantry_code (*)(gantry_driver*, gantry_call*, const gantry_group*, const gantry_view*, uint64_t*));
FIELD(gantry_driver_ops, update_service_capabilities, 56,
      gantry_code (*)(gantry_driver*, gantry_call*, gantry_string, gantry_string, gantry_string));
FIELD(gantry_driver_ops, call_method, 64, gantry_code (*)(gantry_driver*, gantry_call*, const gantry_method_call*));
FIELD(gantry_driver_ops, extension, 72, const void* (*)(gantry_driver*, gantry_string));

// ---- gantry_driver_info
GREW(gantry_driver_info, 56);
FIELD(gantry_driver_info, magic, 0, uint32_t);
FIELD(gantry_driver_info, struct_size, 4, uint32_t);
FIELD(gantry_driver_info, abi_major, 8, uint32_t);
FIELD(gantry_driver_info, abi_minor, 12, uint32_t);
FIELD(gantry_driver_info, id, 16, gantry_string);
FIELD(gantry_driver_info, version, 32, gantry_string);
FIELD(gantry_driver_info, ops, 48, const gantry_driver_ops*);

// ---- the entry
FROZEN((IS_FUNCTION(gantry_driver_entry, const gantry_driver_info* (*)(uint32_t, uint32_t))));
