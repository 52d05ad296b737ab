/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.filter/1": a rule that says which hosts a request may use. A filter reads whole columns and clears the bits
 * of the rows that do not pass. offers.h says how a library offers a filter. gantry/filter.hpp is the C++ version.
 */
#ifndef GANTRY_EXT_FILTER_H
#define GANTRY_EXT_FILTER_H

#include <gantry/ext/offers.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_FILTER_KIND "gantry.filter/1"

/* Bits of gantry_filter_ops.flags. Without flags a filter runs for each instance and not for a rebuild, as in Nova. */
enum {
  GANTRY_FILTER_ONCE_PER_REQUEST = 1, /* runs for the first instance only; the result holds for all instances */
  GANTRY_FILTER_ON_REBUILD = 2        /* also runs when a host is checked for a rebuild of its own instance */
};

/* Bits of gantry_filter_run.flags and gantry_weigher_run.flags. */
enum {
  GANTRY_RUN_REBUILD = 1 /* the request checks a rebuild: the scheduler hint _nova_check_type is ['rebuild'] */
};

/* The input of one call of a filter. */
typedef struct gantry_filter_run {
  uint32_t struct_size;
  uint32_t instance; /* the instance to place, 0 to instances-1; UINT32_MAX: the whole request */
  uint32_t flags;    /* GANTRY_RUN_* */
  uint32_t reserved0;
  const gantry_request* request;
  /* The view to read: the request's view, or a view derived from it that shows the instances placed before. Both have
   * the same rows. */
  const gantry_view* view;
  uint64_t* rows; /* bitmap of (view->rows + 63) / 64 words; a filter clears bits and sets none */
} gantry_filter_run;

/* The limits that a filter sets for one row. */
typedef struct gantry_filter_limits {
  uint32_t struct_size; /* set by the caller */
  uint32_t present;     /* GANTRY_LIMIT_VCPU, _MEMORY_MB, _DISK_GB: the limits that this filter sets */
  gantry_limits limits; /* totals for the row, as in a pick; `other` is scratch memory or static */
} gantry_filter_limits;

/* Bits of gantry_filter_reason.present: the amounts that are set. */
enum {
  GANTRY_REASON_NEED = 1,
  GANTRY_REASON_BEST = 2 /* without this bit, no removed row had any of the resource */
};

/* Why rows did not pass, for people who ask why a request found no host. Texts are scratch memory or static. */
typedef struct gantry_filter_reason {
  uint32_t struct_size;   /* set by the caller */
  uint32_t present;       /* GANTRY_REASON_* */
  gantry_string text;     /* one line about the rows, e.g. "their rack is another one"; may be empty */
  gantry_string resource; /* the resource that ran short, with its unit, e.g. "power_w"; empty if there is none */
  double need;            /* the amount that the request needs */
  double best;            /* the largest amount that one of the removed rows had */
} gantry_filter_reason;

/* The table of a filter. It begins with the fields of gantry_offer_ops. */
typedef struct gantry_filter_ops {
  uint32_t struct_size;
  uint32_t flags; /* GANTRY_FILTER_* */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options,
                        gantry_offered** out);
  void (*destroy)(gantry_offered* filter);
  /* [worker] Mandatory. Clears the bits of the rows in run->rows that do not pass. The result for a row depends on the
   * request and the view only, not on the other bits: the driver may call again with only the rows that have changed.
   * A code other than GANTRY_OK ends the driver's call with that code and with the sentence given to
   * gantry_host.fail. */
  gantry_code (*keep)(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run);
  /* [worker] Optional. Writes to `out` the limits for a row that passed. NULL: the filter sets no limits. The driver
   * calls the filters in order, and a later filter's limit replaces an earlier one's. */
  gantry_code (*limits)(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run, uint32_t row,
                        gantry_filter_limits* out);
  /* [worker] Optional. Writes to `out` why rows did not pass. `removed` is a bitmap of the rows that keep has removed,
   * and run->rows has the rows that passed. Called only if the reason will be shown. */
  gantry_code (*reason)(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run,
                        const uint64_t* removed, gantry_filter_reason* out);
} gantry_filter_ops;

#ifdef __cplusplus
}
#endif

#endif
