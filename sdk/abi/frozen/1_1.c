// SPDX-License-Identifier: Apache-2.0
//
// The fields and constants that 1.1 added.
#include <gantry/ext/ask.h>
#include <gantry/ext/candidates.h>
#include <gantry/ext/capacity.h>
#include <gantry/ext/changes.h>
#include <gantry/ext/explain.h>
#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>

// ---- constants
FROZEN(__builtin_strcmp(GANTRY_ASK_EXTENSION, "gantry.ask/1") == 0);
FROZEN(GANTRY_MOST_ASKS == 16u);
FROZEN(GANTRY_MOST_ASK_BYTES == 1048576u);
FROZEN(GANTRY_MOST_ANSWER_BYTES == 1048576u);

// ---- gantry_answer
GREW(gantry_answer, 24);
FIELD(gantry_answer, struct_size, 0, uint32_t);
FIELD(gantry_answer, status, 4, int32_t);
FIELD(gantry_answer, body, 8, gantry_string);

// ---- gantry_ask_services
GREW(gantry_ask_services, 16);
FIELD(gantry_ask_services, struct_size, 0, uint32_t);
FIELD(gantry_ask_services, reserved0, 4, uint32_t);
FIELD(gantry_ask_services, ask, 8, gantry_code (*)(gantry_call*, gantry_string, gantry_string, gantry_answer*));
