/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of the ABI as lines of the witness. */
#ifndef GANTRY_MUSEUM_WITNESS_H
#define GANTRY_MUSEUM_WITNESS_H

#include "museum.h"

/* A line that grows. */
typedef struct {
  char text[2900];
  int size;
} line_text;

__attribute__((format(printf, 2, 3), unused)) static void add(line_text* line, const char* format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  const int room = (int)sizeof line->text - line->size;
  const int size = vsnprintf(line->text + line->size, (size_t)room, format, arguments);
  __builtin_va_end(arguments);
  line->size += size < 0 ? 0 : size < room ? size : room - 1;
}

/* A number that stands for bytes. */
UNUSED static unsigned long digest(const void* bytes, uint64_t size) {
  uint64_t number = UINT64_C(14695981039346656037);
  for (uint64_t at = 0; at < size; ++at)
    number = (number ^ ((const unsigned char*)bytes)[at]) * UINT64_C(1099511628211);
  return (unsigned long)(number >> 32);
}

UNUSED static void tell_strings(const gantry_driver* driver, const char* at, const char* name, gantry_strings list) {
  line_text line = {.size = 0};
  for (uint64_t index = 0; index < list.count; ++index) add(&line, " '%.*s'", SHOWN(list.items[index]));
  say(driver, "%s.%s %lu:%.*s", at, name, (unsigned long)list.count, line.size, line.text);
}

UNUSED static void tell_pairs(const gantry_driver* driver, const char* at, const char* name, gantry_pairs list) {
  line_text line = {.size = 0};
  for (uint64_t index = 0; index < list.count; ++index)
    add(&line, " '%.*s'='%.*s'", SHOWN(list.items[index].key), SHOWN(list.items[index].value));
  say(driver, "%s.%s %lu:%.*s", at, name, (unsigned long)list.count, line.size, line.text);
}

UNUSED static void tell_bitmap(const gantry_driver* driver, const char* at, const char* name, const uint64_t* bitmap,
                               uint32_t rows) {
  line_text line = {.size = 0};
  for (uint32_t row = 0; bitmap != NULL && row < rows; ++row)
    if (bit(bitmap, row)) add(&line, " %lu", (unsigned long)row);
  say(driver, "%s.%s%.*s", at, name, bitmap == NULL ? 5 : line.size, bitmap == NULL ? " none" : line.text);
}

UNUSED static void tell_rows(const gantry_driver* driver, const char* at, const char* name, const uint32_t* rows,
                             uint64_t count) {
  line_text line = {.size = 0};
  for (uint64_t index = 0; index < count; ++index) add(&line, " %lu", (unsigned long)rows[index]);
  say(driver, "%s.%s%.*s", at, name, line.size, line.text);
}

static void tell_aggregate(const gantry_driver* driver, const char* at, const gantry_aggregate* it, uint32_t rows);

UNUSED static void tell_aggregates(const gantry_driver* driver, const gantry_view* view) {
  const char* at = (const char*)view->aggregates;
  for (uint32_t index = 0; index < view->aggregate_count; ++index, at += view->aggregate_stride)
    tell_aggregate(driver, "aggregate", (const gantry_aggregate*)at, 0);
}

#endif
