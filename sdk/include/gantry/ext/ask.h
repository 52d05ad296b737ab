/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.ask/1", since 1.1: an answer from a policy service that a driver asks through its host. The conventions of
 * driver.h apply.
 *
 * An operator names the services in the host's configuration. The host sends the question over HTTP, so that a driver in
 * a process of its own needs no network, and keeps the answer with the record of the decision: a replay gives the driver
 * the same answers without the service.
 */
#ifndef GANTRY_EXT_ASK_H
#define GANTRY_EXT_ASK_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_ASK_EXTENSION "gantry.ask/1"

#define GANTRY_MOST_ASKS 16u              /* questions of one call */
#define GANTRY_MOST_ASK_BYTES 1048576u    /* a question */
#define GANTRY_MOST_ANSWER_BYTES 1048576u /* an answer */

/* The answer of a service. The host fills it in, also where the question failed. */
typedef struct gantry_answer {
  uint32_t struct_size; /* set by the caller */
  int32_t status;       /* the HTTP status; 0: there was no answer */
  gantry_string body;   /* JSON after GANTRY_OK, otherwise a sentence for people; valid until the call returns */
} gantry_answer;

/* [any] The table that gantry_host.extension returns for this id. Constant from the driver's create to its destroy. */
typedef struct gantry_ask_services {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [call] Sends `json` to the service `name` and waits for the answer, in select_destinations, schedule_run_instance
   * and call_method. Returns GANTRY_OK if the service answered with a status from 200 to 299 and with JSON. Returns
   * GANTRY_INVALID_ARGUMENT if the configuration has no such service for this driver, GANTRY_DEADLINE_EXCEEDED if the
   * deadline of the call or the time of the service has passed, GANTRY_RESOURCE_EXHAUSTED after GANTRY_MOST_ASKS
   * questions or for an answer that is too long, and GANTRY_UNSUPPORTED if there is no usable answer: the service cannot
   * be reached, its status is another one, or its answer is not JSON. The driver may decide without the answer, or
   * return a failure. Only a question that is not JSON, or is too long, breaks the rules (convention 5). */
  gantry_code (*ask)(gantry_call* call, gantry_string name, gantry_string json, gantry_answer* out);
} gantry_ask_services;

#ifdef __cplusplus
}
#endif

#endif
