/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.weigher/1": a score for each host that passed the filters. A higher score is better. A weigher gives raw
 * scores. The driver normalizes the scores to 0..1 and adds multiplier * normalized score to the host's weight.
 * offers.h says how a library offers a weigher. gantry/weigher.hpp is the C++ version.
 */
#ifndef GANTRY_EXT_WEIGHER_H
#define GANTRY_EXT_WEIGHER_H

#include <gantry/ext/filter.h> /* GANTRY_RUN_* */
#include <gantry/ext/offers.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_WEIGHER_KIND "gantry.weigher/1"

/* Bits of gantry_weigher_run.bounds: the ends of the scale that the weigher has set. */
enum { GANTRY_WEIGHER_MINVAL = 1, GANTRY_WEIGHER_MAXVAL = 2 };

/* The input of one call of weigh, and the place of its scores. */
typedef struct gantry_weigher_run {
  uint32_t struct_size;
  uint32_t instance; /* the instance to place, 0 to instances-1; UINT32_MAX: the whole request */
  uint32_t flags;    /* GANTRY_RUN_* */
  /* GANTRY_WEIGHER_MINVAL, _MAXVAL: the ends of the scale that the weigher has set. The mask is 0 when the weigher is
   * called. Without a bit, the lowest (minval) or the highest (maxval) score among the rows is the end. */
  uint32_t bounds;
  double minval; /* the score that is normalized to 0 */
  double maxval; /* the score that is normalized to 1 */
  const gantry_request* request;
  const gantry_view* view; /* the view to read, as in gantry_filter_run */
  const uint64_t* rows;    /* bitmap: the rows to score */
  double* raw;             /* to be filled in with finite scores: one element for each row of the view */
  /* Bitmap, equal to `rows` when the weigher is called. Clear the bit of a row without a score. The row then weighs 0,
   * and the lowest and highest scores leave it out. */
  uint64_t* present;
} gantry_weigher_run;

/* The table of a weigher. It begins with the fields of gantry_offer_ops. */
typedef struct gantry_weigher_ops {
  uint32_t struct_size;
  uint32_t flags; /* 0: no flag is defined yet */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options,
                        gantry_offered** out);
  void (*destroy)(gantry_offered* weigher);
  /* [worker] Mandatory. Writes the scores of run->rows to run->raw. The score of a row depends on the request and the
   * view only, not on the other rows in the call. A code other than GANTRY_OK ends the driver's call with that code and
   * with the sentence given to gantry_host.fail. */
  gantry_code (*weigh)(gantry_offered* weigher, gantry_call* call, gantry_weigher_run* run);
  /* The name under which the multiplier can be set. If the manifest declares an option of this name (of type real), the
   * option's value replaces `multiplier`. For a host whose aggregates have this name as a key in their metadata, the
   * lowest of the key's values replaces the option's value and `multiplier`. Empty: `multiplier` always applies. */
  gantry_string multiplier_name;
  /* Finite. A weigher that prefers low scores gives negative scores: the multiplier and its sign are the operator's. */
  double multiplier;
} gantry_weigher_ops;

#ifdef __cplusplus
}
#endif

#endif
