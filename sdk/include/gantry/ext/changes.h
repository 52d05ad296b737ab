/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of a topic's view differ from an earlier one, for drivers that keep from call to call what they have worked
 * out of each row: bringing that up to date then costs what has changed, not what there is. driver.h's conventions hold
 * here as well.
 */
#ifndef GANTRY_EXT_CHANGES_H
#define GANTRY_EXT_CHANGES_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_CHANGES_EXTENSION "gantry.changes/1"

/* What to pass over. */
enum { GANTRY_CHANGES_BUT_TIMES = 1 }; /* rows of which last_seen_up and updated_at alone are others */

/* [any] What gantry_host.extension answers to that id; constant from the driver's create to its destroy. */
typedef struct gantry_changes {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [call] Writes the rows of `view`, one that the host has made itself, that differ in some column from what they were
   * when the topic's view had generation `since`; some may be written more than once, or have changed and changed back.
   * All others hold the same: equal numbers and texts, though codes of a dictionary may be others
   * (gantry_column.dictionary_version tells), and the same aggregates with the same metadata. What locate answers is no
   * part of a row. Rows that were added since are among those written. `flags`: GANTRY_CHANGES_*.
   * GANTRY_OK: `*count` rows were written. GANTRY_RESOURCE_EXHAUSTED: these are more than `capacity`, or `since` is too
   * long ago, or any row may have changed: look at all of them. GANTRY_INVALID_ARGUMENT: a derived view. */
  gantry_code (*rows)(gantry_call* call, const gantry_view* view, uint64_t since, uint32_t flags, uint32_t* rows,
                      uint64_t capacity, uint64_t* count);
} gantry_changes;

#ifdef __cplusplus
}
#endif

#endif
