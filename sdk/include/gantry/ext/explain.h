/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.explain/1": what became of single hosts in a decision. The conventions of driver.h apply.
 */
#ifndef GANTRY_EXT_EXPLAIN_H
#define GANTRY_EXT_EXPLAIN_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_EXPLAIN_EXTENSION "gantry.explain/1"

/* The verdict of a filter, or of another step, on one host. */
typedef struct gantry_verdict {
  gantry_string name;
  gantry_string reason; /* may be empty */
  uint32_t passed;      /* 1: the host passed; 0: it was rejected */
  uint32_t reserved0;
} gantry_verdict;

/* The part of a host's weight that comes from one weigher: normalized * multiplier. */
typedef struct gantry_term {
  gantry_string name;
  double raw;        /* the weigher's score */
  double normalized; /* the score, scaled by the driver */
  double multiplier;
} gantry_term;

/* Bits of gantry_host_explanation.present: the numbers that are set. */
enum { GANTRY_EXPLANATION_WEIGHT = 1, GANTRY_EXPLANATION_RANK = 2 };

/* Why one host was chosen or left out for one instance. */
typedef struct gantry_host_explanation {
  uint32_t struct_size;
  uint32_t instance;              /* index */
  uint32_t row;                   /* in the request's view */
  uint32_t present;               /* GANTRY_EXPLANATION_* */
  const gantry_verdict* verdicts; /* in the order of the filters, at most 1024 */
  uint32_t verdict_count;
  uint32_t verdict_stride;
  const gantry_term* terms; /* in the order of the weighers, at most 1024 */
  uint32_t term_count;
  uint32_t term_stride;
  double weight;
  uint64_t rank; /* 0 is the first choice; set only for a host that passed */
} gantry_host_explanation;

/* [any] The table that gantry_host.extension returns for this id. Constant from the driver's create to its destroy. */
typedef struct gantry_explain {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [call] Explains one host, in select_destinations. Call it at most once for each instance and row, for the best
   * hosts first. The host keeps explanations only if gantry_request.explain_hosts asks for them. Returns
   * GANTRY_RESOURCE_EXHAUSTED if there is no room for more: from then on explanations are counted and not kept. */
  gantry_code (*explain_host)(gantry_call* call, const gantry_host_explanation* explanation);
} gantry_explain;

#ifdef __cplusplus
}
#endif

#endif
