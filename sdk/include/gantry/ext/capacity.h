/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.capacity/1": how many more instances like the one of a request each host takes. A driver offers the extension
 * to its host (gantry_driver_ops.extension). Without it the host counts by making decisions, which takes longer. The
 * conventions of driver.h apply. gantry/driver/capacity.hpp is the C++ version.
 */
#ifndef GANTRY_EXT_CAPACITY_H
#define GANTRY_EXT_CAPACITY_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_CAPACITY_EXTENSION "gantry.capacity/1"

/* The count of a row that takes any number of instances: the driver's picks of it set no limit, and none of its rules
 * ever rejects it. */
#define GANTRY_CAPACITY_UNBOUNDED UINT64_MAX

/* The table that gantry_driver_ops.extension returns for this id. Constant from the driver's create to its destroy. */
typedef struct gantry_capacity {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [worker] Writes to `counts`, an array of request->view->rows zeros, how many instances each row takes. `request`
   * asks for one instance and has neither instance_uuids nor a group. Imagine select_destinations called with it again
   * and again, each time with an instance of its own and with the view as the claims before have left it: a claim adds
   * the instance's vcpu, memory_mb and disk_gb to vcpus_used, memory_mb_used and local_gb_used, takes them from
   * free_ram_mb and free_disk_gb, and adds them, 1 and the items of the pick to claims.R. The count of a row is the
   * number of picks of the row that succeed until the driver finds no valid host. A row that the driver never picks
   * keeps 0. In this operation the driver may use the [call] services of the first two lines of the list in driver.h,
   * and explain, which has no effect.
   *   GANTRY_OK           The sum of the counts is the number of requests that find a host.
   *   GANTRY_UNSUPPORTED  The counts of rows depend on each other, or on more than the driver can foresee. The host
   *                       makes decisions instead. The sentence given to gantry_host.fail says why.
   * After a failure the host ignores `counts`. */
  gantry_code (*count)(gantry_driver* driver, gantry_call* call, const gantry_request* request, uint64_t* counts);
} gantry_capacity;

#ifdef __cplusplus
}
#endif

#endif
