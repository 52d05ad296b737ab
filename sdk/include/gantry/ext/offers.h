/* SPDX-License-Identifier: Apache-2.0
 *
 * "gantry.offers/1": filters and weighers that a library offers to a driver, for example a site's own. This header says
 * how a library lists its offers, and how a driver finds the offers of the libraries in its configuration. The
 * conventions of driver.h apply.
 *
 *   [driver.filter]
 *   libraries = ["site_filters.so"]        files in driver_directories, checked and loaded as drivers are
 *   [driver.filter.options.RackFilter]     the options of one offer
 *
 * The library's file is <id>.so. It exports gantry_offers_entry alone and has a GANTRY_MANIFEST of its own:
 *
 *   id = 'site_filters'                    as in a driver's manifest; license and vendor too
 *   version = '1.0.0'
 *   description = 'one line'
 *   [offers.RackFilter]                    letters, digits, _ and -; unique among the libraries of a driver
 *   kind = 'gantry.filter/1'               or 'gantry.weigher/1'
 *   help = 'hosts of the rack that the hint names'
 *   threads = 'reentrant'                  or 'serial': the calls of the whole driver then run one at a time
 *   columns.needs = ['stats.rack:string']  optional, also columns.uses; written as in a driver's manifest
 *   [offers.RackFilter.options.hint]       optional; written as in a driver's manifest
 */
#ifndef GANTRY_EXT_OFFERS_H
#define GANTRY_EXT_OFFERS_H

#include <gantry/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------- what a library provides */

/* An instance of an offer, defined by the library and opaque to host and driver. */
typedef struct gantry_offered gantry_offered;

/* The first fields of the table of every kind. struct_size is the size of the kind's whole table. */
typedef struct gantry_offer_ops {
  uint32_t struct_size;
  uint32_t flags; /* defined by the kind */
  /* [control] Makes an instance of the offer and writes it to `out`. Called once for each instance of the
   * driver, before that instance's create.
   * `host` stays valid until destroy and has the services listed at gantry_offer_loaded. The call has no view.
   * `options` stays valid until destroy. */
  gantry_code (*create)(const gantry_host* host, gantry_call* call, const gantry_options* options,
                        gantry_offered** out);
  /* [control] Frees the instance. Called after the driver's own destroy. The offer created last is destroyed first. */
  void (*destroy)(gantry_offered* offered);
} gantry_offer_ops;

/* One filter or weigher of a library. */
typedef struct gantry_offer {
  gantry_string kind; /* equal to the manifest's */
  gantry_string name; /* equal to the manifest's */
  const void* table;  /* static data: a gantry_filter_ops or gantry_weigher_ops, by kind */
} gantry_offer;

/* The result of gantry_offers_entry: the library's identity and its offers. */
typedef struct gantry_offers_info {
  uint32_t magic; /* GANTRY_MAGIC */
  uint32_t struct_size;
  uint32_t abi_major; /* GANTRY_ABI_MAJOR and _MINOR of the header that the library was built with */
  uint32_t abi_minor;
  gantry_string id;           /* equal to the manifest's */
  gantry_string version;      /* equal to the manifest's */
  const gantry_offer* offers; /* exactly the offers of the manifest, also those of a kind that the host does not know */
  uint32_t offer_count;
  uint32_t offer_stride;
} gantry_offers_info;

/* [control] The only symbol that a library of offers exports. Returns static data, or NULL to refuse this host. */
GANTRY_EXPORT const gantry_offers_info* gantry_offers_entry(uint32_t host_major, uint32_t host_minor);

/* ---------------------------------------------------------------------------------------------- what a driver finds */

/* An offer that the host has created.
 *
 * A driver calls the offer during its own calls and passes its own gantry_call. The offer may use these host services:
 * log, log_enabled, count, fail, context, should_stop, time_left_ns, now, random, scratch, column, view, locate and
 * derive. The other services return GANTRY_UNSUPPORTED, because an offer neither decides nor writes to a view. */
typedef struct gantry_offer_loaded {
  gantry_string kind;
  gantry_string name;
  gantry_string library; /* id of the library */
  gantry_string version; /* version of the library */
  gantry_string help;    /* from the manifest */
  /* The table of the kind. Its create and destroy are NULL because the host calls them. Read later fields through
   * GANTRY_HAS. */
  const void* table;
  gantry_offered* instance;      /* the first argument of the functions of `table` */
  const gantry_options* options; /* the options given to create */
  /* The columns that the offer needs. The driver leaves out a row without a value in one of these columns when it calls
   * the offer: the row does not pass a filter, and has no score from a weigher. gantry_host.column finds each of these
   * columns. */
  gantry_strings needs;
} gantry_offer_loaded;

#define GANTRY_OFFERS_EXTENSION "gantry.offers/1"

/* [any] The table that gantry_host.extension returns for this id. Constant from the driver's create to its destroy. */
typedef struct gantry_offers {
  uint32_t struct_size;
  uint32_t offer_count; /* 0 if the configuration names no libraries */
  /* The offers, library by library in the order of the configuration, and within a library in the order of its
   * manifest. */
  const gantry_offer_loaded* offers;
  uint64_t offer_stride;
} gantry_offers;

#ifdef __cplusplus
}
#endif

#endif
