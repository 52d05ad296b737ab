/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.filter/1": a rule that says which hosts a request may use. It sees whole columns and clears the bits of the
 * rows that do not pass. offers.h says how a library offers one; gantry/filter.hpp is the same for C++.
 */
#ifndef GANTRY_EXT_FILTER_H
#define GANTRY_EXT_FILTER_H

#include <gantry/ext/offers.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_FILTER_KIND "gantry.filter/1"

/* gantry_filter_ops.flags. Without them a filter runs for each instance, and not for a rebuild, as in Nova. */
enum {
  GANTRY_FILTER_ONCE_PER_REQUEST = 1, /* for the first instance alone: what it answers holds for the others */
  GANTRY_FILTER_ON_REBUILD = 2        /* also when a host is checked for an instance that it holds already */
};

/* gantry_filter_run.flags and gantry_weigher_run.flags. */
enum {
  GANTRY_RUN_REBUILD = 1 /* the request checks a rebuild (scheduler hint _nova_check_type is ['rebuild']) */
};

typedef struct gantry_filter_run {
  uint32_t struct_size;
  uint32_t instance; /* the one to place, 0 to instances-1; UINT32_MAX: all of the request */
  uint32_t flags;    /* GANTRY_RUN_* */
  uint32_t reserved0;
  const gantry_request* request;
  /* What to read: the request's view, or one derived from it that shows the instances placed before. Same rows. */
  const gantry_view* view;
  uint64_t* rows; /* bitmap, (view->rows + 63) / 64 words; a bit that is 0 stays 0 */
} gantry_filter_run;

/* What a filter allows on one row. */
typedef struct gantry_filter_limits {
  uint32_t struct_size; /* set by the caller */
  uint32_t present;     /* GANTRY_LIMIT_VCPU, _MEMORY_MB, _DISK_GB: those that this filter sets */
  gantry_limits limits; /* totals for the row, as in a pick; `other` in scratch memory, or static */
} gantry_filter_limits;

/* gantry_filter_reason.present */
enum {
  GANTRY_REASON_NEED = 1,
  GANTRY_REASON_BEST = 2 /* no row had any supply without it */
};

/* Why rows did not pass, for who asks why a request found no host. Texts in scratch memory, or static. */
typedef struct gantry_filter_reason {
  uint32_t struct_size;   /* set by the caller */
  uint32_t present;       /* GANTRY_REASON_* */
  gantry_string text;     /* one line: "their rack is another one"; may be empty */
  gantry_string resource; /* of a filter that compares a need with a supply, with its unit: "power_w"; else empty */
  double need;            /* what the request wants of it */
  double best;            /* the best supply among the removed rows */
} gantry_filter_reason;

typedef struct gantry_filter_ops { /* begins as gantry_offer_ops */
  uint32_t struct_size;
  uint32_t flags; /* GANTRY_FILTER_* */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options,
                        gantry_offered** out);
  void (*destroy)(gantry_offered* filter);
  /* [worker] Mandatory. Clears the bits of the rows that do not pass. Whether one passes rests on the request and the
   * view, not on which other bits are set: the driver may ask again for the rows alone that have changed. Anything but
   * GANTRY_OK ends the whole call with that code and the sentence given to gantry_host.fail. */
  gantry_code (*keep)(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run);
  /* [worker] NULL: it sets none. For a row that passed. Asked in the order of the filters, a later one's limit replaces
   * an earlier one's. */
  gantry_code (*limits)(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run, uint32_t row,
                        gantry_filter_limits* out);
  /* [worker] NULL: none is known. `removed`: bitmap, the rows that keep took out; run->rows are those that it left.
   * Asked only where somebody is going to read it. */
  gantry_code (*reason)(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run,
                        const uint64_t* removed, gantry_filter_reason* out);
} gantry_filter_ops;

#ifdef __cplusplus
}
#endif

#endif
