/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.weigher/1": a score for each host that passed the filters; more is better. It hands out raw scores, the
 * driver brings them to 0..1 and adds multiplier * score to the host's weight. offers.h says how a library offers one;
 * gantry/weigher.hpp is the same for C++.
 */
#ifndef GANTRY_EXT_WEIGHER_H
#define GANTRY_EXT_WEIGHER_H

#include <gantry/ext/filter.h> /* GANTRY_RUN_* */
#include <gantry/ext/offers.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_WEIGHER_KIND "gantry.weigher/1"

/* gantry_weigher_run.bounds */
enum { GANTRY_WEIGHER_MINVAL = 1, GANTRY_WEIGHER_MAXVAL = 2 };

typedef struct gantry_weigher_run {
  uint32_t struct_size;
  uint32_t instance; /* the one to place, 0 to instances-1; UINT32_MAX: all of the request */
  uint32_t flags;    /* GANTRY_RUN_* */
  /* Set by the weigher, 0 when it is called: which ends of the scale it gives. An end that is not given is the least or
   * greatest score among the rows. */
  uint32_t bounds; /* GANTRY_WEIGHER_MINVAL, _MAXVAL */
  double minval;   /* the score that counts as 0 */
  double maxval;   /* the score that counts as 1 */
  const gantry_request* request;
  const gantry_view* view; /* what to read, as in gantry_filter_run */
  const uint64_t* rows;    /* bitmap: the rows to score */
  double* raw;             /* a score for each of `rows`, finite; one place a row of the view, 64-byte aligned */
  /* Bitmap that comes equal to `rows`: clear the bit of a row that has no score. It weighs 0 and is left out of the
   * least and greatest. */
  uint64_t* present;
} gantry_weigher_run;

typedef struct gantry_weigher_ops { /* begins as gantry_offer_ops */
  uint32_t struct_size;
  uint32_t flags; /* 0: none has a name yet */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options,
                        gantry_offered** out);
  void (*destroy)(gantry_offered* weigher);
  /* [worker] Mandatory. A row's score rests on the request and the view, not on which other rows are asked for.
   * Anything but GANTRY_OK ends the whole call with that code and the sentence given to gantry_host.fail. */
  gantry_code (*weigh)(gantry_offered* weigher, gantry_call* call, gantry_weigher_run* run);
  /* What a score counts: the weigher's option of this name (of type real) where the manifest declares one, otherwise
   * `multiplier`; and on a host whose aggregates have that key in their metadata, what they say there (the least of
   * several). Empty: always `multiplier`. */
  gantry_string multiplier_name;
  double multiplier; /* finite; negative prefers low scores */
} gantry_weigher_ops;

#ifdef __cplusplus
}
#endif

#endif
