/* SPDX-License-Identifier: Apache-2.0
 *
 * The client library: calls the methods of the scheduler over the unix socket or TCP. This header is its C interface.
 * client.hpp is the C++ version. sdk/methods.md describes the methods, their arguments and results.
 *
 * Conventions
 *  1. Use a gantry_client on one thread at a time. Different clients are independent. A client connects at the first
 *     call, keeps the connection, and reconnects by itself.
 *  2. Every call has a deadline, in milliseconds from now. Until then the library retries after a lost connection and
 *     after an answer of code "unavailable". A retry is safe: methods that change state carry an idempotency key, which
 *     the library generates if the caller gives none. For a daemon that has never answered, the library waits only
 *     absent_wait_ms. A request whose connection was lost before the answer is sent again at most three times, because
 *     the request itself may crash the daemon.
 *  3. Texts from the caller are NUL-terminated UTF-8. Texts in a reply belong to the reply and are valid until
 *     gantry_reply_free.
 *  4. These functions throw no exception, install no signal handler and print nothing.
 */
#ifndef GANTRY_CLIENT_H
#define GANTRY_CLIENT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_CLIENT_EXPORT __attribute__((visibility("default")))

typedef struct gantry_client gantry_client;

typedef struct gantry_client_options {
  uint32_t struct_size;
  int32_t timeout_ms;     /* default for calls; 0: 30,000 */
  const char* context;    /* JSON object sent with each call; NULL: none */
  const char* user_agent; /* NULL: "gantry-client" */
  int32_t absent_wait_ms; /* time to wait for a daemon that has never answered this client; 0: 2,000; -1: none */
  int32_t reserved0;
  const char* token;      /* sent with each call, never over plain http to another machine; NULL: $GANTRY_TOKEN */
  const char* token_file; /* file with the token on one line; NULL: $GANTRY_TOKEN_FILE; used if there is no token */
  const char* ca_file;    /* PEM file of the authorities that may sign the certificate of an https daemon; NULL:
                             $GANTRY_CA_FILE, else the system's authorities */
} gantry_client_options;

/* Makes a client. It connects at its first call. target: a path, unix:///path, http://host:port or https://host:port.
 * NULL: $GANTRY_URL, else unix:///run/gantry/gantry.sock. options may be NULL. Returns NULL if memory has run out or
 * the target has an unknown form. */
GANTRY_CLIENT_EXPORT gantry_client* gantry_client_new(const char* target, const gantry_client_options* options);
GANTRY_CLIENT_EXPORT void gantry_client_free(gantry_client* client);

typedef struct gantry_call_options {
  uint32_t struct_size;
  int32_t timeout_ms;          /* 0: the client's default */
  const char* context;         /* JSON object instead of the client's; NULL: the client's */
  const char* request_id;      /* "req-<uuid>"; NULL: generated */
  const char* idempotency_key; /* NULL: generated */
} gantry_call_options;

typedef struct gantry_reply {
  uint32_t struct_size;
  int32_t ok;         /* 1: result is set; 0: code, message and details are set */
  const char* result; /* JSON */
  const char*
      code; /* "no_valid_host", ...; "unreachable": no daemon answered; "protocol": the answer is not Gantry's */
  const char* message; /* a sentence that says how to proceed */
  const char* details; /* JSON object, or "" */
  const char* request_id;
  int32_t http_status; /* 0 if there was no answer */
  int32_t attempts;
} gantry_reply;

/* Calls a method. args is a JSON object or NULL. options may be NULL. Returns NULL only if memory has run out. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_client_call(gantry_client* client, const char* method, const char* args,
                                                      const gantry_call_options* options);
/* Reads a document of the daemon: path is "/openapi.json" or "/readyz". The result is the whole document. context and
 * idempotency_key are not used. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_client_document(gantry_client* client, const char* path,
                                                          const gantry_call_options* options);
GANTRY_CLIENT_EXPORT void gantry_reply_free(gantry_reply* reply);

/* The most used methods. Each builds the args of methods.md and calls gantry_client_call. A JSON argument may be NULL
 * if methods.md gives a default. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_select_destinations(gantry_client* client, const char* request_spec,
                                                              const char* filter_properties);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_schedule_run_instance(gantry_client* client, const char* request_spec,
                                                                const char* filter_properties);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_schedule(gantry_client* client, const char* topic, const char* method,
                                                   const char* kwargs);
/* node may be NULL. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_update_resource_stats(gantry_client* client, const char* topic,
                                                                const char* host, const char* node, const char* stats);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_update_service_capabilities(gantry_client* client, const char* service,
                                                                      const char* host, const char* capabilities);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_service_register(gantry_client* client, const char* topic, const char* host,
                                                           const char* binary);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_report_state(gantry_client* client, const char* topic, const char* host);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_hosts_up(gantry_client* client, const char* topic);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_group_hosts(gantry_client* client, const char* group);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_receive_casts(gantry_client* client, const char* topic, const char* host,
                                                        int32_t wait_ms);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_acknowledge_cast(gantry_client* client, const char* id);

#ifdef __cplusplus
}
#endif

#endif
