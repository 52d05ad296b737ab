/* SPDX-License-Identifier: Apache-2.0
 *
 * Gantry's driver ABI: the types and functions that a scheduler driver shares with its host, the core that loads it.
 *
 * Conventions
 *  1. Portability. The header compiles as C11 and as C++17 and needs only <stddef.h> and <stdint.h>. The platform is
 *     64-bit and little-endian. Every field has the same width everywhere: the ABI has no enum types, bool, size_t,
 *     bit-fields or implicit padding.
 *  2. Text is UTF-8, given as pointer and size. It is not NUL-terminated. A text or list of size 0 is empty; its
 *     pointer may be NULL or not. Texts of the host are valid UTF-8 and may contain U+0000. A UUID as text has 36
 *     characters, in lower case; another id stays as it was written.
 *  3. Growth. A struct that may grow starts with struct_size, the struct's size in the header that its maker was built
 *     with. Read a field that a later version added through GANTRY_HAS. Walk an array whose elements may grow by the
 *     stride beside it, never by sizeof, and read such a field of an element through GANTRY_REACHES. gantry_string,
 *     _strings, _pair, _pairs, _uuid, _slice, _json and _limits never grow.
 *     A side that fills in a struct of the other side writes only fields that GANTRY_HAS says are there, and sets
 *     struct_size to the smaller of the two sizes: afterwards GANTRY_HAS tells what was filled in. Set struct_size
 *     before each use.
 *     Set every field named reserved to 0, and every unnamed bit of a mask to 0. The host refuses a driver's struct, or
 *     an element of its lists, in which such a field or bit is set, in which a byte behind the part that the host knows
 *     is not 0, or whose size is above 4096. Steps and explanations only tell: of them the host leaves out what it does
 *     not know. An optional number has a bit in the mask `present` of its struct. Without the bit the number is
 *     ignored, so a zeroed struct sets nothing.
 *     A driver ignores unknown bits, fields, hints and keys in structs of the host. It passes over a column or an
 *     option of an unknown type. It takes an unknown code of a service for a failure and returns the code; the host
 *     then does not blame the driver. A greater explain_hosts means GANTRY_EXPLAIN_ALL_FILTERS. An unknown group policy
 *     has no rule. A later host gives a driver nothing that is unsafe to ignore so. A driver sets a bit, a field or an
 *     enumerator that came with minor N only if gantry_host.abi_minor is at least N.
 *  4. Ownership. Memory never changes its owner. Memory from the host is const and valid until the call returns, unless
 *     its comment says otherwise. The host copies what a driver passes to a host function before that function returns.
 *     Each side frees only what it allocated.
 *  5. Errors. A function that can fail returns a gantry_code. Before it returns a failure, it passes one sentence for
 *     people to gantry_host.fail. "No valid host" is a result, not a failure. An exception, longjmp or panic must not
 *     leave a driver's function. An operation in which a driver uses a service against the rules of this header, e.g.
 *     gives it a row that does not exist, a NaN, bad JSON, a result twice, or more than a bound allows, fails with
 *     GANTRY_INTERNAL, even if the operation returns GANTRY_OK. Callers and operators are told that the driver is at
 *     fault.
 *     A failed operation leaves nothing behind: picks, claims, casts and the reply of the call are undone. Counters,
 *     log lines and recorded steps stay.
 *  6. Thread classes. Each function has one. They hold for one instance of the driver, one gantry_driver.
 *       [control]  At most one at a time for an instance, and never while a [worker] function of the instance runs.
 *       [worker]   Several at a time if the manifest says threads = 'reentrant'. Otherwise one at a time.
 *       [any]      From any thread at any time.
 *       [call]     Only during the call whose gantry_call is passed, and only on the thread of that call.
 *     A reload makes a second instance while the first one works: create runs beside operations of another instance,
 *     also if threads = 'serial'. Data that instances share is the file's own to guard.
 *     The host may use a different OS thread for each call. A thread of the host has at least 1 MiB of stack, the
 *     default rounding, and no guarantee about blocked signals. A driver leaves the signal mask, the rounding and the
 *     thread's name as it found them.
 *  7. Deadlines. Each [worker] call has a deadline. A long loop polls gantry_host.should_stop and returns
 *     GANTRY_DEADLINE_EXCEEDED. The host gives a call up that has not returned 100 ms after its deadline. Its caller is
 *     answered deadline_exceeded, and operators are shown driver, operation and request. When the call returns at last,
 *     the host drops its result and gives its claims back. Until then the call keeps its place: of a serial driver one
 *     call runs at a time, of a re-entrant driver 4, or as many as the host has workers if these are more. Other calls
 *     wait for their turn until their deadline. While calls that do not return hold each place, they are refused at
 *     once.
 *  8. Side effects. Until create has returned, a driver may read the libraries that it needs, locales, time zones and
 *     the absolute paths among its options. Afterwards, and otherwise, it does no I/O. It may have threads of its own,
 *     which use [any] services alone and end before destroy returns. It does not fork, exit, install signal handlers,
 *     change the locale, the working directory or the umask, or write to file descriptors 0 to 2. A crash or an exit of
 *     a driver ends the process that runs it. The log then has a crash report with the driver, its file, the operation
 *     and the request.
 *  9. Versions. A driver loads if its major is the host's and the needs_minor of its manifest is at most the host's
 *     minor. Within a major, changes are additions only: an optional thing stays optional, a number keeps its meaning,
 *     and extensions, columns and keys of the manifest stay. The bounds of this header hold for the whole major; a host
 *     may allow more. Within a major the host takes no further names from a driver's options and methods but ones that
 *     begin with `gantry_`: theirs must not begin so. sdk/README.md has the promise as a whole.
 * 10. Determinism. The same input gives the same decision, unless the manifest says decides_from = 'history'.
 *     gantry_host.random and gantry_host.now are a driver's only sources of chance and time. A cache in the driver must
 *     not change its decisions. To draw a number from 0 to bound-1, take the upper half of the 128-bit product random()
 *     * bound, and draw again while the lower half is below 2^64 mod bound (Lemire's method).
 * 11. Loading. The file exports gantry_driver_entry alone. sdk/loading.md has the rules that the file, its owner, its
 *     mode and its libraries must keep; the host checks them before it runs any code of the file. The file is never
 *     unloaded. gantry_driver_entry may be called more than once. After destroy the host calls nothing of the instance.
 *     Static destructors and atexit functions may run or not. The service never forks with a driver loaded.
 * 12. Isolation. A site may run any driver, with its libraries, in a process of its own. The driver sees no difference:
 *     it gets the same calls, views, seeds and times, and gives the same results. Pointers in a view, in its
 *     dictionaries and in its JSON cells are absolute, with addresses of the driver's process. Convention 8 is enforced
 *     there, an allocation may fail, and what the driver has kept is gone after a crash, an exit or a call that has not
 *     returned by its deadline. sdk/loading.md has the details.
 * 13. Arrays. values, validity, each bitmap and gantry_weigher_run.raw begin at a multiple of 64 bytes and can be read
 *     up to the next multiple of 64 rows; values behind the last row have no meaning. In a bitmap of the host the bits
 *     beyond the last row are 0; in one of a driver they are ignored.
 */
#ifndef GANTRY_DRIVER_H
#define GANTRY_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__LP64__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "gantry/driver.h: expected a 64-bit little-endian platform (convention 1)"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_ABI_MAJOR 1
#define GANTRY_ABI_MINOR 1
#define GANTRY_ABI_TEXT "1.1"
#define GANTRY_MAGIC 0x59524e47u /* "GNRY" */

/* The offset of the first byte behind a field. */
#define GANTRY_END_OF(type, member) (offsetof(type, member) + sizeof(((const type*)0)->member))
/* True if the struct *p of type `type` has the field `member`. An older maker's struct may end before the field. */
#define GANTRY_HAS(p, type, member) ((p)->struct_size >= GANTRY_END_OF(type, member))
/* True if an element of a list, whose stride is `stride`, has the field `member`. */
#define GANTRY_REACHES(stride, type, member) ((stride) >= GANTRY_END_OF(type, member))

/* The lowest minor that the driver works with. Define it before the include: what came later is then not declared, and
 * GANTRY_MANIFEST writes it as needs_minor. */
#ifndef GANTRY_NEEDS_MINOR
#define GANTRY_NEEDS_MINOR GANTRY_ABI_MINOR
#endif

/* Bounds of the results that a driver may give in one call. A result beyond a bound breaks the rules (convention 5). */
#define GANTRY_MOST_NAME_BYTES 255u      /* a resource, a consumer, the method of a cast */
#define GANTRY_MOST_ITEMS 1024u          /* items of one pick or claim: an instance may pin each CPU of a large host */
#define GANTRY_MOST_CALL_ITEMS 8192u     /* items of all claims of a call together */
#define GANTRY_MOST_CASTS 1024u          /* casts of a call */
#define GANTRY_MOST_LIMITS_BYTES 65536u  /* gantry_limits.other */
#define GANTRY_MOST_JSON_BYTES 16777216u /* a reply; the args of all casts of a call together */
#define GANTRY_MOST_JSON_DEPTH 56u       /* levels of nesting in a reply, in args and in gantry_limits.other */
/* The host leaves out the part beyond the following bounds, which breaks no rule: sentences, reasons and log lines
 * after 4096 bytes; steps after the first 1000 of a call; counters after the first 1000 of a driver, and their names
 * after 64 bytes; alternates after the first 100 of an instance. */

/* ------------------------------------------------------------------------------------------------- codes and text */

typedef int32_t gantry_code;
enum {
  GANTRY_OK = 0,
  GANTRY_NO_VALID_HOST = 1,      /* no host fits; a result, not a failure */
  GANTRY_INVALID_ARGUMENT = 2,   /* the driver cannot make sense of the request */
  GANTRY_UNSUPPORTED = 3,        /* the driver or the host does not offer this function */
  GANTRY_DEADLINE_EXCEEDED = 4,  /* the deadline has passed */
  GANTRY_RESOURCE_EXHAUSTED = 5, /* memory or another limit of the host was reached */
  GANTRY_CLAIM_LOST = 6,         /* from pick, alternate or claim: the row admits no such claim; try the next choice */
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
  uint8_t bytes[16]; /* in the order of the digits of the text form */
} gantry_uuid;

/* ------------------------------------------------------------------------------------------------------- the view
 * A view shows the hosts of one topic at one moment. It has one row for each (host, node) pair, or for a host without
 * nodes. Hosts in any state have a row: up, down, disabled, forced down. The row numbers are 0 to rows-1. They are
 * valid only in this view and in the views derived from it (gantry_host.derive).
 *
 * A claim reserves resources of a row for an instance that a driver has placed there, until reports of the host include
 * the instance. A claimed instance is one with a claim.
 *
 * The columns of the core. Null means "never reported":
 *   host, hypervisor_hostname, uuid               STRING  host's name; node's name (null: no nodes); node's UUID
 *   up                                            BOOL    the heartbeat is fresh and the service is not forced down
 *   disabled, forced_down                         BOOL    set by the operator
 *   disabled_reason, availability_zone            STRING  the zone comes from an aggregate, else from the configuration
 *   last_seen_up, updated_at                      I64     last heartbeat, last report; nanoseconds since 1970 UTC
 *   vcpus, memory_mb, local_gb                    I64     capacity as reported
 *   vcpus_used, memory_mb_used, local_gb_used     F64     reported use plus the amounts of claims
 *   free_ram_mb, free_disk_gb                     F64     as reported, minus the amounts of claims
 *   disk_available_least                          I64     as reported: GB left once all sparse disks are full
 *   cpu_, ram_, disk_allocation_ratio             F64     as reported; the configured default if absent or 0
 *   running_vms, current_workload                 I64     as reported: number of instances; number of tasks under way
 *   hypervisor_type, hypervisor_version, host_ip  STRING, I64, STRING
 *   cpu_info, supported_instances, pci_stats, numa_topology, metrics, stats, capabilities    JSON
 *   aggregates                                    SET     indexes into gantry_view.aggregates
 *   instances                                     UUIDS   instances on the row, including claimed ones
 *   claims.R                                      F64     claimed amount of resource R; never null. R is vcpu,
 *                                                         memory_mb, disk_gb, instances, or a resource that some
 *                                                         driver claims
 *   image_properties                              JSON    [[count, {name: value}], ...]: the images of the instances
 *                                                         whose record names the host, and how many have each. The
 *                                                         host keeps the column only if a manifest names it
 * Further values of a report are columns stats.NAME of type I64, F64, BOOL or STRING. A manifest declares their type.
 * The name, type and unit of a column and the meaning of its null never change. */

/* The type of a column. The comments give the C type of gantry_column.values. A code is an index into the column's
 * dictionary, and a slice is a part of its elements. */
enum {
  GANTRY_TYPE_BOOL = 1,   /* const uint64_t *: bitmap; the bit of row r is bit r%64 of word r/64 */
  GANTRY_TYPE_I64 = 2,    /* const int64_t * */
  GANTRY_TYPE_F64 = 3,    /* const double *, always finite */
  GANTRY_TYPE_STRING = 4, /* const uint32_t *: codes; dictionary is a const gantry_string * */
  GANTRY_TYPE_SET = 5,    /* const uint32_t *: codes; dictionary is a const gantry_slice *, elements are uint32_t */
  GANTRY_TYPE_JSON = 6,   /* const gantry_json * */
  GANTRY_TYPE_UUIDS = 7   /* const gantry_slice *: one slice for each row; elements are gantry_uuid */
};

/* `count` consecutive elements of gantry_column.elements, from index `begin` on. */
typedef struct gantry_slice {
  uint32_t begin;
  uint32_t count;
} gantry_slice;

/* A JSON value. */
typedef struct gantry_json {
  gantry_string text;
  /* Texts of equal version are equal for the life of the process, so a driver may cache a parsed form under its
   * version. A text of version 0 must not be cached. */
  uint64_t version;
} gantry_json;

typedef struct gantry_column {
  gantry_string name;
  int32_t type;         /* GANTRY_TYPE_* */
  uint32_t struct_size; /* that of this column, also of one outside of view->columns */
  /* One value for each row. The value of a null row can be read but has no meaning: a code may lie
   * outside the dictionary, a slice outside the elements. */
  const void* values;
  const uint64_t* validity;  /* bitmap: 1 if the row has a value; NULL if all rows have one */
  const void* dictionary;    /* STRING: the text of each code; SET: the slice of each code; else unused */
  uint64_t dictionary_count; /* number of codes */
  /* While this number stays the same from view to view, each known code keeps its meaning, and new codes may be
   * appended. If the number is 0, do not cache anything under a code. */
  uint64_t dictionary_version;
  const void* elements; /* SET, UUIDS: the array that the slices refer to; else unused */
} gantry_column;

/* A host aggregate: a named group of hosts with metadata. */
typedef struct gantry_aggregate {
  int64_t id;
  gantry_string uuid;
  gantry_string name;
  gantry_pairs metadata;
} gantry_aggregate;

typedef struct gantry_view {
  uint32_t struct_size;
  uint32_t rows;
  uint64_t generation; /* grows with each change of the topic's hosts; 0 in a derived view, which must not be cached */
  gantry_string topic;
  const gantry_column* columns;
  uint32_t column_count;
  uint32_t column_stride;
  const gantry_aggregate* aggregates;
  uint32_t aggregate_count;
  uint32_t aggregate_stride;
} gantry_view;

/* A derived view's own copy of one column, for writing. gantry_host.write fills it in. A JSON cell that a driver writes
 * has version 0, and its text has to stay valid until the call returns: use scratch memory or text from the host. */
typedef struct gantry_writable {
  uint32_t struct_size; /* set by the caller */
  uint32_t reserved0;
  void* values;       /* array of the column's type */
  uint64_t* validity; /* never NULL here */
} gantry_writable;

/* ---------------------------------------------------------------------------------------------------- the request */

/* The user on whose behalf the request is made. */
typedef struct gantry_context {
  uint32_t struct_size;
  int32_t is_admin;
  gantry_string request_id;
  gantry_string user_id;
  gantry_string project_id;
  gantry_string remote_address; /* the user's address as the API saw it; may be empty */
  gantry_strings roles;
  gantry_string json; /* the whole context without tokens and passwords */
} gantry_context;

/* A server group: instances that a policy places on the same host or on different hosts. */
typedef struct gantry_group {
  uint32_t struct_size;
  uint32_t reserved0;
  gantry_string uuid;
  gantry_string name;
  gantry_string policy;   /* affinity, anti-affinity, soft-affinity, soft-anti-affinity */
  gantry_string rules;    /* JSON object with parameters of the policy, e.g. max_server_per_host */
  gantry_strings members; /* ids of instances */
  /* Row numbers in the view: one entry for each live member, so a row may occur twice. A member is live if it is on a
   * host or claimed. The instances that the request places are left out. */
  const uint32_t* member_rows;
  uint64_t member_row_count;
  gantry_strings hosts; /* host names of members, as listed in the request itself */
} gantry_group;

/* A scheduler hint of the request. */
typedef struct gantry_hint {
  gantry_string key;
  gantry_strings values;
} gantry_hint;

/* Bits of gantry_request.present: the numbers that the request carries. */
enum {
  GANTRY_REQUEST_VCPUS = 1,
  GANTRY_REQUEST_MEMORY_MB = 2,
  GANTRY_REQUEST_ROOT_GB = 4,
  GANTRY_REQUEST_EPHEMERAL_GB = 8,
  GANTRY_REQUEST_SWAP_MB = 16,
  GANTRY_REQUEST_IS_BFV = 32
};

/* The host explanations (ext/explain.h) that a request asks for. */
enum {
  GANTRY_EXPLAIN_NONE = 0,
  GANTRY_EXPLAIN_HOSTS = 1,      /* for each host: verdicts up to the first rejection; for the best ten: terms */
  GANTRY_EXPLAIN_ALL_FILTERS = 2 /* for each host: the verdict of every filter; for each host that passed: terms */
};

typedef struct gantry_request {
  uint32_t struct_size;
  uint32_t instances;  /* number of instances to place, at least 1 */
  uint32_t alternates; /* number of further hosts wanted for each instance; may be 0 */
  uint32_t present;    /* GANTRY_REQUEST_* */
  const gantry_view* view;
  const uint64_t* complete;      /* bitmap: rows that have a value in every column of the manifest's columns.needs */
  gantry_strings instance_uuids; /* either `instances` of them or an empty list */
  /* The amounts are those of one instance. */
  int64_t vcpus;
  int64_t memory_mb;
  int64_t root_gb; /* from the flavor, also if is_bfv is 1 */
  int64_t ephemeral_gb;
  int64_t swap_mb;
  int64_t is_bfv;       /* 1: the instance boots from a volume, so root_gb takes no space on the host */
  double disk_gb;       /* disk that a claim takes: root (unless is_bfv is 1) plus ephemeral plus swap */
  gantry_string flavor; /* name of the flavor */
  /* The next two and the hints have no order. A value that is not text is given as JSON, and a null is left out. */
  gantry_pairs extra_specs; /* the extra specs of the flavor */
  gantry_pairs image_properties;
  gantry_string availability_zone; /* empty: any */
  gantry_string project_id;        /* project of the instances; may differ from the context's */
  gantry_string user_id;
  gantry_strings force_hosts;     /* names of the only hosts allowed; an empty list: any */
  gantry_strings force_nodes;     /* names of the only nodes allowed; an empty list: any */
  gantry_strings ignore_hosts;    /* names of hosts that are not allowed */
  gantry_string requested_host;   /* name of the only host allowed, from requested_destination; empty: any */
  gantry_string requested_node;   /* name of the only node allowed, from requested_destination; empty: any */
  const gantry_pair* retry_hosts; /* hosts that earlier attempts tried: key is the host, value the node or empty */
  uint64_t retry_host_count;
  uint64_t retry_attempts; /* number of attempts as the caller counts them (num_attempts of the spec's retry) */
  const gantry_hint* hints;
  uint32_t hint_count;
  uint32_t hint_stride;
  const gantry_group* group; /* NULL if the request has no group */
  /* The whole request spec as canonical JSON, with Nova's objects as plain JSON objects. A key that the caller left out
   * is absent here too, and not null. */
  gantry_string spec;
  gantry_string filter_properties; /* JSON object */
  gantry_string original; /* the request spec in the form received, a Nova RequestSpec object or a dictionary */
  uint32_t explain_hosts; /* GANTRY_EXPLAIN_* */
  uint32_t reserved0;
  /* Bitmap: the rows that may be used at all, because a service beside the host, such as OpenStack's placement, has
   * chosen them. NULL: all rows. A driver passes over each other row: no filter judges the row and no weight counts it.
   * An eligible row may still be one that cannot be claimed: the driver filters and weighs the row like any other, and
   * learns of it from `claimable`, or from pick or alternate (GANTRY_CLAIM_LOST). */
  const uint64_t* eligible;
  /* Bitmap: the eligible rows that can be claimed. NULL: not known. ext/candidates.h tells in which ways. */
  const uint64_t* claimable;
} gantry_request;

/* The call of a custom method, one of the manifest's [methods]. */
typedef struct gantry_method_call {
  uint32_t struct_size;
  uint32_t reserved0;
  gantry_string topic;
  gantry_string method;
  gantry_string args; /* JSON object, canonical: without spaces, keys in order */
  const gantry_view* view;
  const uint64_t* complete; /* as in gantry_request */
} gantry_method_call;

/* ---------------------------------------------------------------------------------------------------- the decision */

/* Bits of `present` in a pick or a claim item: the numbers that are set, and the group rules that apply. */
enum {
  GANTRY_LIMIT_VCPU = 1,
  GANTRY_LIMIT_MEMORY_MB = 2,
  GANTRY_LIMIT_DISK_GB = 4,
  GANTRY_PICK_WEIGHT = 8,
  GANTRY_CLAIM_LIMIT = 16,
  GANTRY_PICK_APART = 32,
  GANTRY_PICK_TOGETHER = 64
};

/* Totals that the use of a row may reach, as Nova's filters set them. A limit without its bit in `present` allows any
 * amount. */
typedef struct gantry_limits {
  double vcpu;
  double memory_mb;
  double disk_gb;
  /* JSON object whose members the caller gets in the destination's limits, unchanged, beside the three above, which win
   * over members of their names. May be empty. */
  gantry_string other;
} gantry_limits;

/* An amount of one resource to claim. */
typedef struct gantry_claim_item {
  gantry_string resource;
  double amount; /* at least 0 */
  /* The total that claims of the resource may reach on the row. For vcpu, memory_mb and disk_gb the total includes
   * reported use. Without GANTRY_CLAIM_LIMIT there is no limit. A claim with a limit on any other resource is also lost
   * (GANTRY_CLAIM_LOST) if the row's numa_topology or pci_stats has changed since the view was made. */
  double limit;
  uint32_t present; /* GANTRY_CLAIM_LIMIT or 0 */
  uint32_t reserved0;
} gantry_claim_item;

/* The choice of a row for an instance. The row may be of a host in any state: the host of the driver does not check
 * that it is up and enabled. */
typedef struct gantry_pick {
  uint32_t struct_size;
  uint32_t instance; /* index, 0 to instances-1 */
  uint32_t row;      /* in the request's view */
  uint32_t present;  /* GANTRY_LIMIT_*, GANTRY_PICK_* */
  double weight;     /* shown in the decision record; has no effect */
  gantry_limits limits;
  /* Further resources to claim, at most 1024 items. The instance's own vcpu, memory_mb, disk_gb and instances are
   * claimed by the pick itself, and an item must not name them. The claim takes all or nothing. */
  const gantry_claim_item* items;
  uint32_t item_count;
  uint32_t item_stride;
  /* The rule of the request's group, which the host checks again at the moment of the claim, because other requests may
   * have placed members since the view was made. A claimed member is live.
   *   GANTRY_PICK_APART     The row's host has at most group_limit live members, this instance included.
   *   GANTRY_PICK_TOGETHER  The row's host has a live member already, or the group has none on any host.
   * Both are ignored in an alternate and in a request without a group. */
  uint32_t group_limit; /* at least 1 with GANTRY_PICK_APART */
  uint32_t reserved0;
} gantry_pick;

/* Resources that a custom method claims. A claim adds to what its consumer holds, on this row or another, also if the
 * consumer is an instance that a pick has placed there: it takes nothing away and replaces nothing, and a second claim
 * of the same resource adds its amount. A pick likewise leaves these claims alone; it replaces only the claim of an
 * earlier pick of the same instance. A claim may name any resource, vcpu, memory_mb, disk_gb and instances included,
 * and then takes that room from later picks. It ends as the claim of a pick does: with a report of the host that lists
 * the consumer, when the consumer's claims are released (as they are when an instance of that id is deleted), or when
 * it is older than the site allows and no cast protects it. */
typedef struct gantry_claim {
  uint32_t struct_size;
  uint32_t row;           /* in the call's view; its host may be in any state */
  gantry_string consumer; /* id of the user of the resources */
  const gantry_claim_item* items;
  uint32_t item_count; /* 1 to 1024 */
  uint32_t item_stride;
} gantry_claim;

/* A message to the service of a row, without a reply. */
typedef struct gantry_cast {
  uint32_t struct_size;
  uint32_t row; /* in the call's view */
  /* The consumer of a claim that this call has made. The claim does not expire before the cast is acknowledged. Empty:
   * the cast protects no claim. */
  gantry_string consumer;
  gantry_string method;
  gantry_string args; /* JSON object */
} gantry_cast;

/* One step of the decision, e.g. a filter: how many hosts went in and how many were left. */
typedef struct gantry_step {
  uint32_t struct_size;
  uint32_t instance; /* index; UINT32_MAX: the whole request */
  gantry_string name;
  uint64_t hosts_in;
  uint64_t hosts_out;
  gantry_string reason; /* why hosts were removed, e.g. "their rack differs"; may be empty */
} gantry_step;

/* Where an instance is (gantry_host.locate). */
typedef struct gantry_location {
  uint32_t struct_size; /* set by the caller */
  uint32_t row;         /* in the compute topic's view */
  gantry_string host;
  gantry_string node;
  gantry_string availability_zone;
  /* The fields below come from the instance's record at the time of the call. They are empty if there is no record,
   * e.g. for an instance that only has a claim. */
  gantry_string flavor; /* name of the flavor */
  gantry_string project_id;
  gantry_string vm_state;
  int64_t vcpus;     /* the amounts of the instance's flavor; 0 if the record has no number */
  int64_t memory_mb; /* MiB */
  double disk_gb;    /* GiB: root plus ephemeral plus swap */
} gantry_location;

/* --------------------------------------------------------------------------------------------------- host services
 * The operations in which a driver may use the [call] services:
 *   fail, context, should_stop, time_left_ns, now, random, scratch   in each operation
 *   column, view, locate, derive, write, append                      in each operation except create
 *   pick, alternate, refuse                                          in select_destinations and schedule_run_instance
 *   explain                                                          in the same two, and in call_method
 *   claim, cast                                                      in call_method
 *   reply                                                            in call_method and update_service_capabilities
 * Anywhere else a service does nothing and returns GANTRY_UNSUPPORTED, GANTRY_INVALID_ARGUMENT or a NULL pointer. That
 * breaks the rules (convention 5). */

typedef struct gantry_call gantry_call; /* one running call; opaque */

typedef struct gantry_host gantry_host;
struct gantry_host { /* the host's services for one driver; valid from create to destroy */
  uint32_t struct_size;
  uint16_t abi_major;
  uint16_t abi_minor;
  gantry_string name;    /* "gantry" */
  gantry_string version; /* version of the core */

  /* [any] Logs one line. `level` is GANTRY_LOG_*. `call` may be NULL outside of a call. */
  void (*log)(const gantry_host* host, const gantry_call* call, int32_t level, gantry_string message);
  /* [any] Returns 1 if lines of this level are logged. */
  int32_t (*log_enabled)(const gantry_host* host, int32_t level);
  /* [any] Adds `amount` to the counter of that name. Operators see the counter under the driver's name. */
  void (*count)(const gantry_host* host, gantry_string counter, uint64_t amount);
  /* [any] Returns the table of an extension, NULL if the host does not offer it. The headers in ext/ define the
   * extensions. Their ids have the form "gantry.<name>/<revision>"; "com.vendor.name/revision" is anybody's. An id that
   * a 1.x release offers is offered by every later one. A new revision is a new id beside it. */
  const void* (*extension)(const gantry_host* host, gantry_string id);

  /* [call] Sets the sentence of a failure. A later sentence replaces an earlier one. Returns `code`. */
  gantry_code (*fail)(gantry_call* call, gantry_code code, gantry_string sentence);
  /* [call] Returns the context of the request: user, project, roles. */
  const gantry_context* (*context)(gantry_call* call);
  /* [call] Returns 1 if the call is to end: its deadline has passed, or its result is not wanted any more. */
  int32_t (*should_stop)(gantry_call* call);
  /* [call] Returns the time until the deadline in nanoseconds, at least 0. */
  int64_t (*time_left_ns)(gantry_call* call);
  /* [call] Returns the time of the call, nanoseconds since 1970 UTC. It is the same for the whole call, and may be
   * earlier than that of an earlier call. */
  int64_t (*now)(gantry_call* call);
  /* [call] Returns the next 64 bits of xoshiro256**, seeded by splitmix64 from the call's recorded seed. */
  uint64_t (*random)(gantry_call* call);
  /* [call] Returns memory that is released when the call returns, NULL if there is none left. `align` is a power of two
   * up to 64. A call has 256 MiB, and 64 KiB more for each instance of its request. Derived views take of them, too. */
  void* (*scratch)(gantry_call* call, uint64_t size, uint64_t align);

  /* [call] Returns the column of that name, NULL if there is none. The columns in the manifest's columns.needs always
   * exist. */
  const gantry_column* (*column)(gantry_call* call, const gantry_view* view, gantry_string name);
  /* [call] Returns the view of another topic at the same moment, NULL if the topic is unknown. */
  const gantry_view* (*view)(gantry_call* call, gantry_string topic);
  /* [call] Finds the row of an instance, which may be a claimed one. Returns GANTRY_NO_VALID_HOST and sets out->row to
   * UINT32_MAX if the instance is on no host. */
  gantry_code (*locate)(gantry_call* call, gantry_string instance_uuid, gantry_location* out);
  /* [call] Returns a derived view: a copy of `view` to which the driver can write. NULL if memory has run out. A column
   * is copied only when it is written. */
  const gantry_view* (*derive)(gantry_call* call, const gantry_view* view);
  /* [call] Gives access to the derived view's own copy of a column, for writing. The first call for a column makes
   * the copy. */
  gantry_code (*write)(gantry_call* call, const gantry_view* derived, gantry_string column, gantry_writable* out);
  /* [call] Adds an element to a row's list in a derived view, unless the list has the element already. `element` points
   * to a gantry_uuid for a column of type UUIDS, and to a uint32_t for a column of type SET. A gantry_column that was
   * read before is out of date afterwards: ask for the column again. */
  gantry_code (*append)(gantry_call* call, const gantry_view* derived, gantry_string column, uint32_t row,
                        const void* element);

  /* [call] Chooses a row for an instance and claims the instance's resources in the same step. Returns GANTRY_OK if the
   * claim succeeded, GANTRY_CLAIM_LOST if a limit of the pick or the policy of the server group no longer admits the
   * instance on that row, if the row is not in gantry_request.eligible, or if the row cannot be claimed for this
   * instance. The driver then goes on to its next choice; the row may still admit another instance. A request without
   * instance_uuids, or a dry run, claims nothing: the limits are then checked against the view. At most one pick
   * succeeds for an instance, and none for an instance that was refused. */
  gantry_code (*pick)(gantry_call* call, const gantry_pick* pick);
  /* [call] Names a further choice for an instance. The order of the calls is the order of preference. Claims nothing.
   * Weight and limits are as in a pick. Returns GANTRY_CLAIM_LOST if the row is not in gantry_request.eligible or
   * cannot be claimed for this instance: the row is then no alternate, and the driver goes on to its next choice. */
  gantry_code (*alternate)(gantry_call* call, const gantry_pick* alternate);
  /* [call] Says why this instance gets no row. At most once for an instance, and not for one with a pick. */
  gantry_code (*refuse)(gantry_call* call, uint32_t instance, gantry_string reason);
  /* [call] Records how many hosts one step of the decision left. A NoValidHost answer shows the steps in the order of
   * these calls. */
  void (*explain)(gantry_call* call, const gantry_step* step);

  /* [call] Claims named resources of a row, all or none. Returns GANTRY_CLAIM_LOST if a limit would be exceeded. */
  gantry_code (*claim)(gantry_call* call, const gantry_claim* claim);
  /* [call] Gives the answer of the operation, as JSON. Call it at most once. */
  gantry_code (*reply)(gantry_call* call, gantry_string json);
  /* [call] Queues a message to the service of a row. */
  gantry_code (*cast)(gantry_call* call, const gantry_cast* cast);
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

/* A configured option or its default. Only the value of its type is set. */
typedef struct gantry_option {
  gantry_string name;
  int32_t type;       /* GANTRY_OPTION_*, as the manifest declares it */
  int32_t is_default; /* 1: the configuration does not set the option */
  int64_t integer;    /* INTEGER, or BOOLEAN as 0 or 1 */
  double real;        /* REAL */
  gantry_string string;
  gantry_strings strings;
  gantry_pairs table; /* TABLE; texts, sorted by key */
} gantry_option;

/* All options that the manifest declares, in its order. An option that is not configured has its default. */
typedef struct gantry_options {
  uint32_t struct_size;
  uint32_t option_stride;
  const gantry_option* options;
  uint64_t option_count;
} gantry_options;

typedef struct gantry_driver gantry_driver; /* defined by the driver; opaque to the host */

/* The operations of a driver. */
typedef struct gantry_driver_ops {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [control] Mandatory. Makes an instance of the driver and writes it to `out`. `host` stays valid until destroy. The
   * call has no view: of the [call] services, only those of the first line of the list above work. A check of the
   * configuration runs create too, in a process of its own that ends without destroy, also while the service runs. A
   * reload of the configuration makes a second instance with other options and destroys the first one after its last
   * call: each has a state of its own, and none of it is in static variables. A create that takes more than 10 seconds,
   * or more than the site allows a call if that is longer, is refused. */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options, gantry_driver** out);
  /* [control] Mandatory. Ends the instance and frees its memory. */
  void (*destroy)(gantry_driver* driver);
  /* [worker] Mandatory, unless the manifest has [methods]: a driver of methods alone leaves this and the next one NULL.
   * Picks a row for every instance and returns GANTRY_OK, or returns GANTRY_NO_VALID_HOST: the picks that succeeded are
   * then undone, as after a failure. */
  gantry_code (*select_destinations)(gantry_driver* driver, gantry_call* call, const gantry_request* request);
  /* [worker] Mandatory beside select_destinations. Picks a row for each instance or refuses that instance, and returns
   * GANTRY_OK. An instance that got neither is the driver's fault. GANTRY_NO_VALID_HOST says that the instances without
   * a pick found no host: the picks of the others stay. After a failure no instance is placed or recorded. */
  gantry_code (*schedule_run_instance)(gantry_driver* driver, gantry_call* call, const gantry_request* request);
  /* [worker] Optional. Sets the bits of the rows that are up in the zeroed bitmap `rows_out`. If NULL, the host sets
   * the rows that are up and not disabled. */
  gantry_code (*hosts_up)(gantry_driver* driver, gantry_call* call, const gantry_view* view, uint64_t* rows_out);
  /* [worker] Optional. Sets the bits of the rows that hold members of the group in the zeroed bitmap `rows_out`. If
   * NULL, the host sets the rows of the group's live members. */
  gantry_code (*group_hosts)(gantry_driver* driver, gantry_call* call, const gantry_group* group,
                             const gantry_view* view, uint64_t* rows_out);
  /* [worker] Optional. Handles the capabilities, JSON, that a service reports. After GANTRY_OK the host stores the JSON
   * given to `reply`, an object, or `capabilities` if there was no reply. If NULL, the host stores `capabilities`. */
  gantry_code (*update_service_capabilities)(gantry_driver* driver, gantry_call* call, gantry_string service,
                                             gantry_string host, gantry_string capabilities);
  /* [worker] Runs a custom method, one of the manifest's [methods]. NULL if the manifest lists none. */
  gantry_code (*call_method)(gantry_driver* driver, gantry_call* call, const gantry_method_call* method);
  /* [any] Optional. Returns the driver's table of an extension, NULL if it offers none of that id. */
  const void* (*extension)(gantry_driver* driver, gantry_string id);
} gantry_driver_ops;

/* The result of gantry_driver_entry: the driver's identity and its operations. */
typedef struct gantry_driver_info {
  uint32_t magic; /* GANTRY_MAGIC */
  uint32_t struct_size;
  uint32_t abi_major; /* GANTRY_ABI_MAJOR and _MINOR of the header that the driver was built with */
  uint32_t abi_minor;
  gantry_string id;      /* equal to the manifest's */
  gantry_string version; /* equal to the manifest's */
  const gantry_driver_ops* ops;
} gantry_driver_info;

#define GANTRY_EXPORT __attribute__((visibility("default")))

/* [control] The only symbol that a driver exports. Returns static data, or NULL to refuse this host. */
GANTRY_EXPORT const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor);

/* ---------------------------------------------------------------------------------------------------- the manifest
 * The manifest is TOML in the ELF section ".gantry.manifest", which the host reads before any code of the file runs. It
 * has the driver's id, version, topics, methods, columns and options. sdk/manifest.md has its keys. */
#ifdef __has_attribute
#if __has_attribute(retain)
#define GANTRY_RETAINED used, retain /* keeps the section under the linker's --gc-sections */
#endif
#endif
#ifndef GANTRY_RETAINED
#define GANTRY_RETAINED used
#endif
#define GANTRY_DIGITS_OF_(number) #number
#define GANTRY_DIGITS_(number) GANTRY_DIGITS_OF_(number)
/* Puts the manifest `text`, a string literal, into the section and adds the lines `manifest`, `abi`, `needs_minor`. */
#define GANTRY_MANIFEST(text)                                                                                      \
  __attribute__((section(".gantry.manifest"), GANTRY_RETAINED)) static const char gantry_manifest_of_this_file[] = \
      "manifest = 1\nabi = '" GANTRY_ABI_TEXT "'\nneeds_minor = " GANTRY_DIGITS_(GANTRY_NEEDS_MINOR) "\n" text

#ifdef __cplusplus
}
#endif

#endif
