/* SPDX-License-Identifier: Apache-2.0
 *
 * Gantry's driver ABI: everything that a scheduler driver shares with the core that loads it.
 *
 * Conventions
 *  1. C11 or C++17 with <stddef.h> and <stdint.h> alone. 64-bit little-endian. No enum type, bool, size_t, bit-field
 *     or padding crosses: every field has one width everywhere.
 *  2. Text is UTF-8, pointer and size, not NUL-terminated. {NULL, 0} is the empty text.
 *  3. A struct that may grow starts with struct_size, as its maker knows it; read a later field through GANTRY_HAS.
 *     One that the host fills in starts with the size that its caller set. Arrays whose elements may grow are walked by
 *     the stride beside them, never by sizeof. A field called reserved is 0, and so is each bit of a mask that has no
 *     name yet: the host refuses a driver's struct in which it is not. A number that may be absent has a bit in the
 *     mask `present` beside it; without the bit nobody reads it. So a struct of zeros says nothing.
 *  4. Memory never changes its owner. What the host hands over is const and lives until the call returns, unless said
 *     otherwise. What a driver hands over is copied before the host function returns. Nobody frees what another made.
 *  5. A function that can fail returns a gantry_code; the sentence that goes with it is given to gantry_host.fail first.
 *     "No valid host" is a result, not a failure. No exception, longjmp or panic may leave a driver's function.
 *  6. Thread classes. [control]: never two at a time for one driver, and none beside a [worker]. [worker]: beside each
 *     other only if the manifest says threads = 'reentrant'; otherwise one at a time. [any]: from any thread, at any
 *     time. [call]: only inside the call whose gantry_call is passed, on its thread. No OS thread is promised.
 *  7. Each [worker] call has a deadline. A long loop asks gantry_host.should_stop and returns GANTRY_DEADLINE_EXCEEDED.
 *  8. A driver does no I/O of its own, and does not fork, exit, install signal handlers, change locale, directory or
 *     umask, or write to descriptors 0 to 2.
 *  9. Versions. While GANTRY_ABI_MAJOR is 0 a driver loads only into a host of equal major and minor. From 1.0 on it
 *     loads if the majors are equal and its manifest's needs_minor is not above the host's minor; within a major things
 *     are only appended, nothing becomes required and no number gets a second meaning.
 * 10. Same input, same decision: a driver's only sources of chance and time are gantry_host.random and
 *     gantry_host.now, and a cache of its own must not change what it decides. A number from 0 to bound-1 is the upper
 *     half of the 128-bit product random() * bound, drawn anew while the lower half is below 2^64 mod bound (Lemire).
 * 11. Loading. The file, for which no link stands, and each directory above it belong to root or the service's user;
 *     nobody else may write to them, and none is sticky, as /tmp is. It exports gantry_driver_entry and nothing else,
 *     and has neither RUNPATH nor RPATH. The libraries that it needs are the system's, or keep the same rules of owner
 *     and mode. Nothing of it runs before it is judged.
 * 12. Pointers in a view are absolute, dictionaries and JSON cells included. A driver in a process of its own gets views
 *     that hold for its own addresses; it sees no difference.
 */
#ifndef GANTRY_DRIVER_H
#define GANTRY_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_ABI_MAJOR 0u
#define GANTRY_ABI_MINOR 4u
#define GANTRY_ABI_TEXT "0.4"
#define GANTRY_MAGIC 0x59524e47u /* "GNRY" */

/* Whether the maker of *p knows `member`. */
#define GANTRY_HAS(p, type, member) ((p)->struct_size >= offsetof(type, member) + sizeof(((const type*)0)->member))

/* ------------------------------------------------------------------------------------------------- codes and text */

typedef int32_t gantry_code;
enum {
  GANTRY_OK = 0,
  GANTRY_NO_VALID_HOST = 1,      /* nothing fits; a result */
  GANTRY_INVALID_ARGUMENT = 2,   /* the caller's request makes no sense to this driver */
  GANTRY_UNSUPPORTED = 3,        /* this driver, or this host, does not offer that */
  GANTRY_DEADLINE_EXCEEDED = 4,  /* time ran out */
  GANTRY_RESOURCE_EXHAUSTED = 5, /* memory or another bound of the host's ran out */
  GANTRY_CLAIM_LOST = 6,         /* pick or claim: the row no longer has the room; take the next choice */
  GANTRY_INTERNAL = 7            /* the driver's own fault */
};

enum { GANTRY_LOG_DEBUG = 0, GANTRY_LOG_INFO = 1, GANTRY_LOG_WARNING = 2, GANTRY_LOG_ERROR = 3 };

typedef struct gantry_string {
  const char* data;
  uint64_t size;
} gantry_string;

typedef struct gantry_strings {
  const gantry_string* items;
  uint64_t count;
} gantry_strings;

typedef struct gantry_pair {
  gantry_string key;
  gantry_string value;
} gantry_pair;

typedef struct gantry_pairs {
  const gantry_pair* items;
  uint64_t count;
} gantry_pairs;

typedef struct gantry_uuid {
  uint8_t bytes[16]; /* in the order of the text form */
} gantry_uuid;

/* ------------------------------------------------------------------------------------------------------- the view
 * A view holds the hosts of one topic at one moment, a row for each (host, node or none) in whatever state: up, down,
 * disabled, forced down. Rows 0 to rows-1 are all there; a row number means something in this view and its derived
 * views only.
 *
 * The core's columns (null means: never reported):
 *   host, hypervisor_hostname, uuid               STRING  service's host name; its node (null: host without nodes); id
 *   up                                            BOOL    heartbeat is fresh and the service is not forced down
 *   disabled, forced_down                         BOOL    as the operator set them
 *   disabled_reason, availability_zone            STRING  zone: of its aggregates, else the configured default
 *   last_seen_up, updated_at                      I64     last heartbeat, last report; nanoseconds since 1970 UTC
 *   vcpus, memory_mb, local_gb                    I64     capacity as reported
 *   vcpus_used, memory_mb_used, local_gb_used     F64     reported use plus what claims hold
 *   free_ram_mb, free_disk_gb                     F64     as reported, less what claims hold
 *   disk_available_least                          I64     as reported
 *   cpu_, ram_, disk_allocation_ratio             F64     as reported; where absent or 0, the configured default
 *   running_vms, current_workload                 I64     as reported
 *   hypervisor_type, hypervisor_version, host_ip  STRING, I64, STRING
 *   cpu_info, supported_instances, pci_stats, numa_topology, metrics, stats, capabilities    JSON
 *   aggregates                                    SET     of indexes into gantry_view.aggregates
 *   instances                                     UUIDS   instances on the row, claimed ones included
 *   claims.R                                      F64     what claims hold of resource R: vcpu, memory_mb, disk_gb,
 *                                                         instances, or any that a driver claims; never null
 * and for what a report carries beyond those, stats.NAME: I64, F64, BOOL or STRING as the manifest declares it.
 * A name, its type, its unit and the meaning of its null never change. */

enum {
  GANTRY_TYPE_BOOL = 1,   /* const uint64_t *: bitmap, bit r%64 of word r/64 */
  GANTRY_TYPE_I64 = 2,    /* const int64_t * */
  GANTRY_TYPE_F64 = 3,    /* const double *, always finite */
  GANTRY_TYPE_STRING = 4, /* const uint32_t *: codes into dictionary (const gantry_string *) */
  GANTRY_TYPE_SET = 5,    /* const uint32_t *: codes into dictionary (const gantry_slice *, into uint32_t elements) */
  GANTRY_TYPE_JSON = 6,   /* const gantry_json * */
  GANTRY_TYPE_UUIDS = 7   /* const gantry_slice *: into gantry_uuid elements */
};

typedef struct gantry_slice {
  uint32_t begin;
  uint32_t count;
} gantry_slice;

typedef struct gantry_json {
  gantry_string text;
  /* Equal versions, equal texts, in the life of the process: a parsed form may be kept. 0: do not keep one. */
  uint64_t version;
} gantry_json;

typedef struct gantry_column {
  gantry_string name;
  int32_t type; /* GANTRY_TYPE_* */
  uint32_t reserved0;
  /* One a row, 64-byte aligned. What a null row holds is readable but means nothing: a code there may lie beyond the
   * dictionary, a slice beyond the elements. */
  const void* values;
  const uint64_t* validity;  /* bitmap: set, the row has a value; NULL: every row has one */
  const void* dictionary;    /* STRING, SET: what the codes mean */
  uint64_t dictionary_count; /* codes are below it */
  /* Equal: the codes known before still mean the same, new ones may have come behind them. 0: do not cache by it. */
  uint64_t dictionary_version;
  const void* elements; /* SET, UUIDS: what slices point into */
} gantry_column;

typedef struct gantry_aggregate {
  int64_t id;
  gantry_string uuid;
  gantry_string name;
  gantry_pairs metadata;
} gantry_aggregate;

typedef struct gantry_view {
  uint32_t struct_size;
  uint32_t rows;
  uint64_t generation; /* grows with each change of the topic's hosts; 0, of a derived view: do not cache by it */
  gantry_string topic;
  const gantry_column* columns;
  uint32_t column_count;
  uint32_t column_stride;
  const gantry_aggregate* aggregates;
  uint32_t aggregate_count;
  uint32_t aggregate_stride;
} gantry_view;

/* Where gantry_host.write lets a driver write: a derived view's own copy of one column. A JSON cell written there has
 * version 0, and its text lives until the call returns: scratch memory, or what the host handed out in this call. */
typedef struct gantry_writable {
  uint32_t struct_size; /* set by the caller */
  uint32_t reserved0;
  void* values;       /* as the column's type says */
  uint64_t* validity; /* never NULL here */
} gantry_writable;

/* ---------------------------------------------------------------------------------------------------- the request */

typedef struct gantry_context {
  uint32_t struct_size;
  int32_t is_admin;
  gantry_string request_id;
  gantry_string user_id;
  gantry_string project_id;
  gantry_string remote_address; /* of the user, as the API saw it; may be empty */
  gantry_strings roles;
  gantry_string json; /* the whole context, tokens and passwords left out */
} gantry_context;

typedef struct gantry_group {
  uint32_t struct_size;
  uint32_t reserved0;
  gantry_string uuid;
  gantry_string name;
  gantry_string policy; /* affinity, anti-affinity, soft-affinity, soft-anti-affinity */
  gantry_string rules;  /* JSON object */
  gantry_strings members;
  const uint32_t* member_rows; /* in the request's view: one for each live member placed there, claims included */
  uint64_t member_row_count;
  gantry_strings hosts; /* host names that the request itself says hold members */
} gantry_group;

typedef struct gantry_hint {
  gantry_string key;
  gantry_strings values; /* a value that is not text stands as JSON */
} gantry_hint;

/* Which of the numbers below the request carries. */
enum {
  GANTRY_REQUEST_VCPUS = 1,
  GANTRY_REQUEST_MEMORY_MB = 2,
  GANTRY_REQUEST_ROOT_GB = 4,
  GANTRY_REQUEST_EPHEMERAL_GB = 8,
  GANTRY_REQUEST_SWAP_MB = 16,
  GANTRY_REQUEST_IS_BFV = 32
};

/* Which explanations of single hosts (gantry_host.explain_host) are asked for. */
enum {
  GANTRY_EXPLAIN_NONE = 0,
  GANTRY_EXPLAIN_HOSTS = 1,      /* each host's verdicts up to the first that is against it, terms of the best ten */
  GANTRY_EXPLAIN_ALL_FILTERS = 2 /* each host's verdict by every filter, terms of each host that is left */
};

typedef struct gantry_request {
  uint32_t struct_size;
  uint32_t instances;  /* how many to place, at least 1 */
  uint32_t alternates; /* how many further hosts are wanted for each; 0: none */
  uint32_t present;    /* GANTRY_REQUEST_* */
  const gantry_view* view;
  const uint64_t* complete;      /* bitmap: rows that have a value in each of the manifest's needed columns */
  gantry_strings instance_uuids; /* `instances` of them, or none */
  int64_t vcpus;
  int64_t memory_mb;
  int64_t root_gb; /* of the flavor, also when is_bfv */
  int64_t ephemeral_gb;
  int64_t swap_mb;
  int64_t is_bfv; /* 1: boots from a volume, root_gb is not taken from the host */
  double disk_gb; /* what a claim takes: root (unless is_bfv), ephemeral and swap */
  gantry_string flavor;
  gantry_pairs extra_specs;
  gantry_pairs image_properties;
  gantry_string availability_zone;
  gantry_string project_id; /* of the instances; may differ from the context's */
  gantry_string user_id;
  gantry_strings force_hosts;
  gantry_strings force_nodes;
  gantry_strings ignore_hosts;
  gantry_string requested_host; /* requested_destination */
  gantry_string requested_node;
  const gantry_pair* retry_hosts; /* (host, node) tried before */
  uint64_t retry_host_count;
  uint64_t retry_attempts;
  const gantry_hint* hints;
  uint32_t hint_count;
  uint32_t hint_stride;
  const gantry_group* group; /* NULL: none */
  gantry_string spec;        /* the whole request spec, canonical JSON; absent is not null */
  gantry_string filter_properties;
  gantry_string original; /* the JSON as it came: a Nova RequestSpec object, or the same as spec */
  uint32_t explain_hosts; /* GANTRY_EXPLAIN_* */
  uint32_t reserved0;
} gantry_request;

typedef struct gantry_method_call {
  uint32_t struct_size;
  uint32_t reserved0;
  gantry_string topic;
  gantry_string method;
  gantry_string args; /* JSON object */
  const gantry_view* view;
  const uint64_t* complete; /* as in gantry_request */
} gantry_method_call;

/* ---------------------------------------------------------------------------------------------------- the decision */

/* Which of the numbers below are set. */
enum {
  GANTRY_LIMIT_VCPU = 1,
  GANTRY_LIMIT_MEMORY_MB = 2,
  GANTRY_LIMIT_DISK_GB = 4,
  GANTRY_PICK_WEIGHT = 8,
  GANTRY_CLAIM_LIMIT = 16,
  GANTRY_PICK_APART = 32,
  GANTRY_PICK_TOGETHER = 64
};

typedef struct gantry_limits { /* totals for the row, as Nova's filters set them; not present: unbounded */
  double vcpu;
  double memory_mb;
  double disk_gb;
  gantry_string other; /* JSON object, returned beside the three unchanged; empty: none */
} gantry_limits;

typedef struct gantry_claim_item {
  gantry_string resource;
  double amount; /* at least 0 */
  /* Claims (and reported use, for vcpu, memory_mb, disk_gb) may reach it; not present: unbounded. Of another resource it
   * is lost as well where the row's numa_topology or pci_stats is no longer what the view shows. */
  double limit;
  uint32_t present; /* GANTRY_CLAIM_LIMIT */
  uint32_t reserved0;
} gantry_claim_item;

typedef struct gantry_pick {
  uint32_t struct_size;
  uint32_t instance; /* index, 0 to instances-1 */
  uint32_t row;      /* of the request's view */
  uint32_t present;  /* GANTRY_LIMIT_*, GANTRY_PICK_* */
  double weight;     /* for the record */
  gantry_limits limits;
  /* What is claimed beside the instance's own vcpu, memory_mb, disk_gb and instances (which no item may name): all of
   * the pick holds, or nothing. At most 1024. */
  const gantry_claim_item* items;
  uint32_t item_count;
  uint32_t item_stride;
  /* What must hold of the request's group when the claim is made, whatever other requests have claimed since the view:
   * APART, that the row's host has at most group_limit of the live members, this instance included; TOGETHER, that it
   * has one already, or that no host has. Claims count. Means nothing in an alternate, or without a group. */
  uint32_t group_limit; /* at least 1 with APART */
  uint32_t reserved0;
} gantry_pick;

typedef struct gantry_claim {
  uint32_t struct_size;
  uint32_t row;           /* of the call's view */
  gantry_string consumer; /* id of what will use it, a report of the host that lists it ends the claim */
  const gantry_claim_item* items;
  uint32_t item_count; /* 1 to 1024 */
  uint32_t item_stride;
} gantry_claim;

typedef struct gantry_cast {
  uint32_t struct_size;
  uint32_t row; /* of the call's view */
  /* Of a claim that this call has made: it does not grow old before the cast is acknowledged. Empty: of none. */
  gantry_string consumer;
  gantry_string method;
  gantry_string args; /* JSON object */
} gantry_cast;

typedef struct gantry_step {
  uint32_t struct_size;
  uint32_t instance; /* index; UINT32_MAX: all of the request */
  gantry_string name;
  uint64_t hosts_in;
  uint64_t hosts_out;
  gantry_string reason; /* what the removed ones lacked; may be empty */
} gantry_step;

typedef struct gantry_verdict { /* what a filter, or another step, says of one host */
  gantry_string name;
  gantry_string reason; /* may be empty */
  uint32_t passed;      /* 1, or 0: it is out */
  uint32_t reserved0;
} gantry_verdict;

typedef struct gantry_term { /* what a weigher adds to a host's weight: normalized times multiplier */
  gantry_string name;
  double raw;
  double normalized;
  double multiplier;
} gantry_term;

/* Which of the numbers below are set. */
enum { GANTRY_EXPLANATION_WEIGHT = 1, GANTRY_EXPLANATION_RANK = 2 };

typedef struct gantry_host_explanation { /* what became of one host while a row was sought for an instance */
  uint32_t struct_size;
  uint32_t instance;              /* index */
  uint32_t row;                   /* of the request's view */
  uint32_t present;               /* GANTRY_EXPLANATION_* */
  const gantry_verdict* verdicts; /* in their order, at most 1024 */
  uint32_t verdict_count;
  uint32_t verdict_stride;
  const gantry_term* terms; /* in their order, at most 1024 */
  uint32_t term_count;
  uint32_t term_stride;
  double weight;
  uint64_t rank; /* 0: the first choice; only of a host that is left */
} gantry_host_explanation;

typedef struct gantry_location {
  uint32_t struct_size; /* set by the caller */
  uint32_t row;         /* in the compute topic's view */
  gantry_string host;
  gantry_string node;
  gantry_string availability_zone;
  /* Of the instance's record at the time of asking; empty where there is none, as for one that is only claimed. */
  gantry_string flavor; /* its name */
  gantry_string project_id;
  gantry_string vm_state;
} gantry_location;

/* --------------------------------------------------------------------------------------------------- host services
 * Where a [call] service may be used: fail, context, should_stop, time_left_ns, now, random and scratch in each
 * operation; column, view, locate, derive, write and append in each but create; pick, alternate and refuse in
 * select_destinations and schedule_run_instance; explain there and in call_method; explain_host in select_destinations; claim
 * and cast in call_method; reply there and in update_service_capabilities. Elsewhere they do nothing and answer GANTRY_UNSUPPORTED or
 * GANTRY_INVALID_ARGUMENT (NULL, where they hand out a pointer), and the operation may fail as the driver's own fault. */

typedef struct gantry_call gantry_call; /* one call under way; opaque */

typedef struct gantry_host gantry_host;
struct gantry_host { /* one for each driver, from create to destroy */
  uint32_t struct_size;
  uint16_t abi_major;
  uint16_t abi_minor;
  gantry_string name;    /* "gantry" */
  gantry_string version; /* the core's */

  /* [any] One line; `call` may be NULL outside of a call. */
  void (*log)(const gantry_host* host, const gantry_call* call, int32_t level, gantry_string message);
  int32_t (*log_enabled)(const gantry_host* host, int32_t level);
  /* [any] Adds to the counter of that name, which the operator sees as the driver's own. */
  void (*count)(const gantry_host* host, gantry_string counter, uint64_t amount);
  /* [any] A table of further services, "gantry.<name>/<revision>", as ext/offers.h has one; NULL: not offered. */
  const void* (*extension)(const gantry_host* host, gantry_string id);

  /* [call] Sets the sentence that goes with a failure; the last one counts. Returns `code`. */
  gantry_code (*fail)(gantry_call* call, gantry_code code, gantry_string sentence);
  const gantry_context* (*context)(gantry_call* call);
  /* [call] 1: the deadline has passed. */
  int32_t (*should_stop)(gantry_call* call);
  int64_t (*time_left_ns)(gantry_call* call);
  /* [call] The call's one time, nanoseconds since 1970 UTC. */
  int64_t (*now)(gantry_call* call);
  /* [call] The next 64 bits of xoshiro256**, seeded by splitmix64 from the call's recorded seed. */
  uint64_t (*random)(gantry_call* call);
  /* [call] Memory that is released when the call returns; align a power of two up to 64. NULL: none left. */
  void* (*scratch)(gantry_call* call, uint64_t size, uint64_t align);

  /* [call] The column of that name; NULL: there is none. One of the manifest's columns.needs is always there. */
  const gantry_column* (*column)(gantry_call* call, const gantry_view* view, gantry_string name);
  /* [call] Another topic's hosts at the same moment; NULL: no such topic. */
  const gantry_view* (*view)(gantry_call* call, gantry_string topic);
  /* [call] Where an instance is, claims included. GANTRY_NO_VALID_HOST: nowhere; row is then UINT32_MAX. */
  gantry_code (*locate)(gantry_call* call, gantry_string instance_uuid, gantry_location* out);
  /* [call] A view that shows the same until it is written to. NULL: no memory. */
  const gantry_view* (*derive)(gantry_call* call, const gantry_view* view);
  /* [call] The derived view's own copy of a column, made at the first ask. */
  gantry_code (*write)(gantry_call* call, const gantry_view* derived, gantry_string column, gantry_writable* out);
  /* [call] Adds an element to a row's list in a derived view: UUIDS, a gantry_uuid; SET, a uint32_t. One that is there
   * already is not added again. The column as it was read before no longer holds: read it anew. */
  gantry_code (*append)(gantry_call* call, const gantry_view* derived, gantry_string column, uint32_t row,
                        const void* element);

  /* [call] Chooses a row for an instance and claims it: GANTRY_OK, it holds; GANTRY_CLAIM_LOST, it does not. */
  gantry_code (*pick)(gantry_call* call, const gantry_pick* pick);
  /* [call] A further choice for an instance, best first; nothing is claimed. Weight and limits as in a pick. */
  gantry_code (*alternate)(gantry_call* call, const gantry_pick* alternate);
  /* [call] Why this instance gets no row. */
  gantry_code (*refuse)(gantry_call* call, uint32_t instance, gantry_string reason);
  /* [call] What a step of the decision left over. NoValidHost shows the steps in this order. */
  void (*explain)(gantry_call* call, const gantry_step* step);

  /* [call] Custom methods: a claim of named resources, the answer (JSON, once), and a message to a row's service. */
  gantry_code (*claim)(gantry_call* call, const gantry_claim* claim);
  gantry_code (*reply)(gantry_call* call, gantry_string json);
  gantry_code (*cast)(gantry_call* call, const gantry_cast* cast);

  /* [call] What became of one host, once an instance and row, the best hosts first, where gantry_request.explain_hosts asks
   * for it; other explanations are dropped. GANTRY_RESOURCE_EXHAUSTED: it is only counted, there is no room for more. */
  gantry_code (*explain_host)(gantry_call* call, const gantry_host_explanation* explanation);
};

/* ------------------------------------------------------------------------------------------------------ the driver */

enum {
  GANTRY_OPTION_BOOLEAN = 1,
  GANTRY_OPTION_INTEGER = 2,
  GANTRY_OPTION_REAL = 3,
  GANTRY_OPTION_STRING = 4,
  GANTRY_OPTION_STRINGS = 5,
  GANTRY_OPTION_TABLE = 6
};

typedef struct gantry_option {
  gantry_string name;
  int32_t type; /* GANTRY_OPTION_*, as the manifest declares it */
  int32_t is_default;
  int64_t integer; /* INTEGER; BOOLEAN: 0 or 1 */
  double real;     /* REAL */
  gantry_string string;
  gantry_strings strings;
  gantry_pairs table; /* TABLE: of strings, sorted by key */
} gantry_option;

typedef struct gantry_options { /* each declared option, in the manifest's order, its default filled in */
  uint32_t struct_size;
  uint32_t option_stride;
  const gantry_option* options;
  uint64_t option_count;
} gantry_options;

typedef struct gantry_driver gantry_driver; /* the driver's own; opaque to the host */

typedef struct gantry_driver_ops {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [control] `host` stays valid until destroy. The call serves scratch, fail, now; it has no view. */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options, gantry_driver** out);
  void (*destroy)(gantry_driver* driver);
  /* [worker] Mandatory. A pick for each instance and GANTRY_OK, or GANTRY_NO_VALID_HOST: all or nothing. */
  gantry_code (*select_destinations)(gantry_driver* driver, gantry_call* call, const gantry_request* request);
  /* [worker] Mandatory. A pick or a refusal for each instance, each on its own, and GANTRY_OK. */
  gantry_code (*schedule_run_instance)(gantry_driver* driver, gantry_call* call, const gantry_request* request);
  /* [worker] NULL: the host's default, rows that are up and not disabled. Sets bits in `rows_out`, a zeroed bitmap. */
  gantry_code (*hosts_up)(gantry_driver* driver, gantry_call* call, const gantry_view* view, uint64_t* rows_out);
  /* [worker] NULL: the host's default, the rows of the group's live members. */
  gantry_code (*group_hosts)(gantry_driver* driver, gantry_call* call, const gantry_group* group,
                             const gantry_view* view, uint64_t* rows_out);
  /* [worker] NULL: the host keeps them as they are. GANTRY_OK keeps them, or what was given to `reply` instead. */
  gantry_code (*update_service_capabilities)(gantry_driver* driver, gantry_call* call, gantry_string service,
                                             gantry_string host, gantry_string capabilities);
  /* [worker] The methods that the manifest names. NULL if it names none. */
  gantry_code (*call_method)(gantry_driver* driver, gantry_call* call, const gantry_method_call* method);
  /* [any] A table of further operations; NULL member or NULL answer: none. */
  const void* (*extension)(gantry_driver* driver, gantry_string id);
} gantry_driver_ops;

typedef struct gantry_driver_info {
  uint32_t magic; /* GANTRY_MAGIC */
  uint32_t struct_size;
  uint32_t abi_major; /* GANTRY_ABI_MAJOR and _MINOR of the header it was built with */
  uint32_t abi_minor;
  gantry_string id; /* as in the manifest */
  gantry_string version;
  const gantry_driver_ops* ops;
} gantry_driver_info;

#define GANTRY_EXPORT __attribute__((visibility("default")))

/* The one symbol that a driver exports. Static data; NULL: not for this host. [control] */
GANTRY_EXPORT const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor);

/* ---------------------------------------------------------------------------------------------------- the manifest
 * TOML in the ELF section ".gantry.manifest", which the host reads before it lets any byte of the file run:
 *
 *   id = 'first_fit'              letters, digits, _ and -; the file is <id>.so
 *   version = '1.2.0'
 *   description = 'one line'
 *   license = 'Apache-2.0'        optional
 *   vendor = 'Example'            optional
 *   topics = ['compute']
 *   threads = 'reentrant'         or 'serial'
 *   needs_minor = 0               optional; the lowest ABI minor that it can live with
 *   [methods]                     optional; topic = ['method', ...]
 *   [columns]
 *   needs = ['vcpus']             a host without a value is no candidate; refused if the core has no such column
 *   uses = ['stats.rack:string']  read if present; what is not the core's own says its type: bool, i64, f64, string
 *   [options.reserve]             the keys of its section [driver.<id>]; path, required, sha256, isolation, libraries,
 *                                 options and deadline_ms are the host's own and no names of options
 *   type = 'integer'              boolean, integer, real, string, strings, table (of strings)
 *   default = 512
 *   help = 'MiB kept free on each host'
 *   minimum = 0                   optional; maximum, choices = [...], required = true likewise
 *   offers = 'gantry.filter/1'    optional, of strings: names by which libraries offer things of that kind count beside
 *                                 the choices (ext/offers.h)
 *   [options.reserve.guards.any]  optional, of strings: a list that holds none of its choices = [...] is warned of, when
 *   warning = 'one line'          the configuration is checked and at the start
 */
#ifdef __has_attribute
#if __has_attribute(retain)
#define GANTRY_RETAINED used, retain /* also by a linker that is told --gc-sections */
#endif
#endif
#ifndef GANTRY_RETAINED
#define GANTRY_RETAINED used
#endif
#define GANTRY_MANIFEST(text)                                                                                      \
  __attribute__((section(".gantry.manifest"), GANTRY_RETAINED)) static const char gantry_manifest_of_this_file[] = \
      "manifest = 1\nabi = '" GANTRY_ABI_TEXT "'\n" text

#ifdef __cplusplus
}
#endif

#endif
