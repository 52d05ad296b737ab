// SPDX-License-Identifier: Apache-2.0
//
// A small library of offers in C that the build bends: each ZOO_ definition changes one thing about it. CMakeLists.txt
// has the list. EvenFilter keeps the rows of even number and sets a limit, HeavyWeigher prefers the later rows.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // setenv
#endif
#include <gantry/ext/filter.h>
#include <gantry/ext/weigher.h>
#include <stdlib.h>
#include <string.h>

#ifdef ZOO_ABI_TEXT
#undef GANTRY_ABI_TEXT
#define GANTRY_ABI_TEXT ZOO_ABI_TEXT
#undef GANTRY_NEEDS_MINOR
#ifndef ZOO_NEEDS_MINOR
#define ZOO_NEEDS_MINOR 0
#endif
#define GANTRY_NEEDS_MINOR ZOO_NEEDS_MINOR
#endif
#ifndef ZOO_MAGIC
#define ZOO_MAGIC GANTRY_MAGIC
#endif
#ifndef ZOO_INFO_SIZE
#define ZOO_INFO_SIZE sizeof(gantry_offers_info)
#endif
#ifndef ZOO_TABLE_SIZE
#define ZOO_TABLE_SIZE sizeof(gantry_filter_ops)
#endif
#ifndef ZOO_ID
#define ZOO_ID "zoo_offers"
#endif
#ifndef ZOO_FILTER
#define ZOO_FILTER "EvenFilter"
#endif
#ifndef ZOO_ENTRY_FILTER
#define ZOO_ENTRY_FILTER ZOO_FILTER
#endif
#ifndef ZOO_ENTRY_KIND
#define ZOO_ENTRY_KIND GANTRY_FILTER_KIND
#endif
#ifndef ZOO_KIND
#define ZOO_KIND GANTRY_FILTER_KIND
#endif
#ifndef ZOO_THREADS
#define ZOO_THREADS "reentrant"
#endif
#ifndef ZOO_KEEP
#define ZOO_KEEP keep
#endif
#ifndef ZOO_FLAGS
#define ZOO_FLAGS 0
#endif
#ifndef ZOO_COUNT
#define ZOO_COUNT 2
#endif
#ifndef ZOO_MORE
#define ZOO_MORE ""
#endif
#ifndef ZOO_WEIGHER
#define ZOO_WEIGHER ""
#endif

#ifdef ZOO_NO_OFFERS
GANTRY_MANIFEST("id = '" ZOO_ID "'\nversion = '1.0.0'\ndescription = 'A test library'\n[offers]\n");
#elif defined(ZOO_TOPICS)
GANTRY_MANIFEST("id = '" ZOO_ID
                "'\nversion = '1.0.0'\ndescription = 'A test library'\ntopics = ['compute']\nthreads = 'serial'\n");
#else
GANTRY_MANIFEST("id = '" ZOO_ID
                "'\n"
                "version = '1.0.0'\n"
                "description = 'A test library'\n"
                "[offers." ZOO_FILTER
                "]\n"
                "kind = '" ZOO_KIND
                "'\n"
                "help = 'rows of even number'\n"
                "threads = '" ZOO_THREADS "'\n" ZOO_MORE
                "[offers.HeavyWeigher]\n"
                "kind = 'gantry.weigher/1'\n"
                "help = 'later rows'\n"
                "threads = 'reentrant'\n" ZOO_WEIGHER);
#endif

#ifdef ZOO_CONSTRUCTOR
__attribute__((constructor)) static void run_before_anybody_asked(void) {
  setenv("GANTRY_ZOO_RAN", "1", 1);
}
#endif

struct gantry_offered {
  const gantry_host* host;
  char name;
};

static gantry_string text(const char* of) {
  gantry_string string = {of, strlen(of)};
  return string;
}

// Writes the order in which things begin and end into a variable that tests read.
static void note(char what, char name) {
  const char* const before = getenv("GANTRY_ZOO_ORDER");
  char line[256] = {0};
  if (before != NULL) strncpy(line, before, sizeof(line) - 3);
  size_t end = strlen(line);
  line[end++] = what;
  line[end] = name;
  setenv("GANTRY_ZOO_ORDER", line, 1);
}

static gantry_code create(const gantry_host* host, gantry_call* call, char name, gantry_offered** out) {
#ifdef ZOO_CREATE_FAILS
  if (name == 'w') return host->fail(call, GANTRY_INVALID_ARGUMENT, text("no scale is heavy enough"));
#else
  (void)call;
#endif
  gantry_offered* made = malloc(sizeof(gantry_offered));
  if (made == NULL) return GANTRY_RESOURCE_EXHAUSTED;
  made->host = host;
  made->name = name;
  note('+', name);
  *out = made;
  return GANTRY_OK;
}
static gantry_code create_filter(const gantry_host* host, gantry_call* call, const gantry_options* options,
                                 gantry_offered** out) {
  (void)options;
  return create(host, call, 'f', out);
}
static gantry_code create_weigher(const gantry_host* host, gantry_call* call, const gantry_options* options,
                                  gantry_offered** out) {
  (void)options;
  return create(host, call, 'w', out);
}
static void destroy(gantry_offered* offered) {
  note('-', offered->name);
  free(offered);
}

// The request's flavor chooses the behaviour, so that one file serves many tests.
static gantry_code keep(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run) {
  const gantry_string flavor = run->request->flavor;
  if (flavor.size == 5 && memcmp(flavor.data, "crash", 5) == 0) abort();
  if (flavor.size == 5 && memcmp(flavor.data, "wrong", 5) == 0) {
    return filter->host->fail(call, GANTRY_INVALID_ARGUMENT, text("no such flavor"));
  }
  if (flavor.size == 6 && memcmp(flavor.data, "silent", 6) == 0) return GANTRY_INTERNAL;
  if (flavor.size == 5 && memcmp(flavor.data, "picks", 5) == 0) {
    const gantry_pick pick = {.struct_size = sizeof(pick)};
    return filter->host->pick(call, &pick);
  }
  for (uint64_t word = 0; word < ((uint64_t)run->view->rows + 63) / 64; ++word) run->rows[word] &= 0x5555555555555555u;
  return GANTRY_OK;
}
static gantry_code limits(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run, uint32_t row,
                          gantry_filter_limits* out) {
  (void)filter, (void)call, (void)run;
  out->present = GANTRY_LIMIT_VCPU;
  out->limits.vcpu = 10.0 + row;
  return GANTRY_OK;
}
static gantry_code weigh(gantry_offered* weigher, gantry_call* call, gantry_weigher_run* run) {
  (void)weigher, (void)call;
  for (uint32_t row = 0; row < run->view->rows; ++row) run->raw[row] = row;
  run->bounds = GANTRY_WEIGHER_MINVAL | GANTRY_WEIGHER_MAXVAL;
  run->minval = 0;
  run->maxval = 4;
  return GANTRY_OK;
}

static const gantry_filter_ops filter_table = {
    .struct_size = ZOO_TABLE_SIZE,
    .flags = ZOO_FLAGS,
    .create = create_filter,
    .destroy = destroy,
    .keep = ZOO_KEEP,
    .limits = limits,
};
static const gantry_weigher_ops weigher_table = {
    .struct_size = sizeof(gantry_weigher_ops),
    .create = create_weigher,
    .destroy = destroy,
    .weigh = weigh,
    .multiplier_name = {"weight", 6},
    .multiplier = 2.0,
};

static const gantry_offer offers[] = {
    {{ZOO_ENTRY_KIND, sizeof(ZOO_ENTRY_KIND) - 1}, {ZOO_ENTRY_FILTER, sizeof(ZOO_ENTRY_FILTER) - 1}, &filter_table},
    {{GANTRY_WEIGHER_KIND, sizeof(GANTRY_WEIGHER_KIND) - 1}, {"HeavyWeigher", 12}, &weigher_table},
};

const gantry_offers_info* gantry_offers_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  // Also keeps what a bent library leaves unused from being warned about.
  gantry_code (*volatile used)(gantry_offered*, gantry_call*, const gantry_filter_run*) = keep;
  (void)used;
  static const gantry_offers_info info = {
      .magic = ZOO_MAGIC,
      .struct_size = ZOO_INFO_SIZE,
      .abi_major = GANTRY_ABI_MAJOR,
      .abi_minor = GANTRY_ABI_MINOR,
      .id = {ZOO_ID, sizeof(ZOO_ID) - 1},
      .version = {"1.0.0", 5},
      .offers = offers,
      .offer_count = ZOO_COUNT,
      .offer_stride = sizeof(gantry_offer),
  };
  return &info;
}
