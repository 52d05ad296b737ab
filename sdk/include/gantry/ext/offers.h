/* SPDX-License-Identifier: Apache-2.0
 *
 * Things that a library offers to a driver, such as a site's own filters and weighers: how a library lists them, and
 * how a driver finds those of the libraries that its configuration names. driver.h's conventions hold here as well.
 *
 *   [driver.filter]
 *   libraries = ["site_filters.so"]        files in driver_directories, judged and loaded as drivers are
 *   [driver.filter.options.RackFilter]     the options of one offer
 *
 * The library's file is <id>.so. It exports gantry_offers_entry and nothing else, and has a GANTRY_MANIFEST of its own:
 *
 *   id = 'site_filters'                    as a driver's; description, license, vendor and needs_minor likewise
 *   version = '1.0.0'
 *   description = 'one line'
 *   [offers.RackFilter]                    letters, digits, _ and -; no two of one driver's libraries have one name
 *   kind = 'gantry.filter/1'               or 'gantry.weigher/1'
 *   help = 'hosts of the rack that the hint names'
 *   threads = 'reentrant'                  or 'serial': then no two calls of the driver run at a time
 *   columns.needs = ['stats.rack:string']  optional, as are columns.uses: as a driver's, see gantry_offer_loaded.needs
 *   [offers.RackFilter.options.hint]       optional; as a driver's options
 */
#ifndef GANTRY_EXT_OFFERS_H
#define GANTRY_EXT_OFFERS_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------- what a library provides */

typedef struct gantry_offered gantry_offered; /* an instance of an offer, the library's own; opaque to the others */

/* How the table of each kind begins; struct_size is that of the kind's whole table. */
typedef struct gantry_offer_ops {
  uint32_t struct_size;
  uint32_t flags; /* as the kind says */
  /* [control] Once, before the driver's own create. `host` stays valid until destroy; its services are those listed in
   * gantry_offer_loaded. The call serves scratch, fail, now. `options` lives until destroy. */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options,
                        gantry_offered** out);
  /* [control] After the driver's own destroy, the last created first. */
  void (*destroy)(gantry_offered* offered);
} gantry_offer_ops;

typedef struct gantry_offer {
  gantry_string kind; /* as in the manifest */
  gantry_string name; /* as in the manifest */
  const void* table;  /* static; "gantry.filter/1": gantry_filter_ops, "gantry.weigher/1": gantry_weigher_ops */
} gantry_offer;

typedef struct gantry_offers_info {
  uint32_t magic; /* GANTRY_MAGIC */
  uint32_t struct_size;
  uint32_t abi_major; /* GANTRY_ABI_MAJOR and _MINOR of the header it was built with */
  uint32_t abi_minor;
  gantry_string id; /* as in the manifest */
  gantry_string version;
  const gantry_offer* offers; /* each that the manifest names, and no other */
  uint32_t offer_count;
  uint32_t offer_stride;
} gantry_offers_info;

/* The one symbol that a library of offers exports. Static data; NULL: not for this host. [control] */
GANTRY_EXPORT const gantry_offers_info* gantry_offers_entry(uint32_t host_major, uint32_t host_minor);

/* ---------------------------------------------------------------------------------------------- what a driver finds */

/* An offer that the host has created.
 *
 * A driver calls it in its own calls, with its own gantry_call. There an offer has these host services: log,
 * log_enabled, count, fail, context, should_stop, time_left_ns, now, random, scratch, column, view, locate and derive.
 * The others answer GANTRY_UNSUPPORTED: it decides nothing by itself, and writes to no view. */
typedef struct gantry_offer_loaded {
  gantry_string kind;
  gantry_string name;
  gantry_string library; /* its id */
  gantry_string version; /* the library's */
  gantry_string help;    /* as in the manifest */
  /* As its kind says; create and destroy are NULL, the host has called the one and calls the other. Later members
   * through GANTRY_HAS. */
  const void* table;
  gantry_offered* instance;      /* for the functions of this table alone */
  const gantry_options* options; /* what it was created with */
  /* Columns without a value in which a row cannot be judged by this offer: the driver takes such rows out before it
   * asks (filter: it does not pass; weigher: it has no score). gantry_host.column finds each of them. */
  gantry_strings needs;
} gantry_offer_loaded;

#define GANTRY_OFFERS_EXTENSION "gantry.offers/1"

/* [any] What gantry_host.extension answers to that id; constant from the driver's create to its destroy. */
typedef struct gantry_offers {
  uint32_t struct_size;
  uint32_t offer_count; /* 0: the configuration names no library */
  /* Library by library as the configuration names them, each in the order of its manifest. */
  const gantry_offer_loaded* offers;
  uint64_t offer_stride;
} gantry_offers;

#ifdef __cplusplus
}
#endif

#endif
