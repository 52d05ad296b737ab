/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.candidates/1": the allocation candidates of a request, and the choice among them. The conventions of driver.h
 * apply.
 *
 * Allocation candidates are the ways in which a service beside the host, such as OpenStack's placement, can give what a
 * request asks of providers below a row, for example single PCI devices. Each group of the request gets one provider. A
 * candidate is one provider for each group. The candidates of a row are in sets, the first choice first. A set has some
 * providers for each group and stands for all candidates that take one of them for each group and take no provider more
 * often than its room says. Within a set, the candidates are in the order of the providers of the first group, then
 * of the second, and so on. Candidates that differ in nothing that a driver could judge are one candidate here.
 */
#ifndef GANTRY_EXT_CANDIDATES_H
#define GANTRY_EXT_CANDIDATES_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_CANDIDATES_EXTENSION "gantry.candidates/1"

typedef struct gantry_candidates {
  uint32_t struct_size;
  uint32_t group_count;
  const gantry_string* groups;    /* the id of each group: the requester_id in the request spec */
  const gantry_string* providers; /* UUIDs */
  const uint32_t* rooms;          /* by provider: how many groups it can serve at most */
  uint64_t provider_count;
  const gantry_slice* rows; /* by row: its sets. A row that cannot be claimed has none */
  /* By set and group: set s has group_count slices of `choices`, from index s * group_count on. */
  const gantry_slice* sets;
  uint64_t set_count;
  const uint32_t* choices; /* indexes into providers */
  uint64_t choice_count;
} gantry_candidates;

/* [any] The table that gantry_host.extension returns for this id. Constant from the driver's create to its destroy. */
typedef struct gantry_candidate_services {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [call] Returns the candidates of the call's request. NULL: the request has no group that a driver could judge, or
   * no service has been asked. */
  const gantry_candidates* (*of)(gantry_call* call);
  /* [call] Chooses the candidate that the next pick or alternate claims, if it is of this instance and row: an index
   * into gantry_candidates.providers for each of the group_count groups. Without a choice, the service that offers the
   * candidates chooses. A pick of providers that are no candidate of the row breaks the rules (convention 5). */
  gantry_code (*choose)(gantry_call* call, uint32_t instance, uint32_t row, const uint32_t* providers, uint32_t count);
} gantry_candidate_services;

#ifdef __cplusplus
}
#endif

#endif
