/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.changes/1": the rows of a topic's view that have changed since an earlier view. A driver that caches results
 * for each row can then update only the rows that changed. The conventions of driver.h apply.
 */
#ifndef GANTRY_EXT_CHANGES_H
#define GANTRY_EXT_CHANGES_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_CHANGES_EXTENSION "gantry.changes/1"

/* The flags of gantry_changes.rows. */
enum { GANTRY_CHANGES_BUT_TIMES = 1 }; /* leave out rows that changed in last_seen_up and updated_at alone */

/* [any] The table that gantry_host.extension returns for this id. Constant from the driver's create to its destroy. */
typedef struct gantry_changes {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [call] Writes to `rows` the rows of `view` in which some column has changed since the topic's view had the
   * generation `since`. Rows that were added since then are included. A row may be written more than once, and a row
   * that changed and changed back may be written too. All other rows are unchanged: they have equal numbers and
   * texts and the same aggregates with the same metadata. Only their codes may differ, as
   * gantry_column.dictionary_version says. The answers of gantry_host.locate are not part of a row. `flags`:
   * GANTRY_CHANGES_*.
   *   GANTRY_OK                  `*count` rows were written.
   *   GANTRY_RESOURCE_EXHAUSTED  The changed rows are not known: more than `capacity` rows changed, `since` is too
   *                              long ago, or any row may have changed. Look at all rows.
   *   GANTRY_INVALID_ARGUMENT    `view` is a derived view. */
  gantry_code (*rows)(gantry_call* call, const gantry_view* view, uint64_t since, uint32_t flags, uint32_t* rows,
                      uint64_t capacity, uint64_t* count);
} gantry_changes;

#ifdef __cplusplus
}
#endif

#endif
