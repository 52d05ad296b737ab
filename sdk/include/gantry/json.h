/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes small JSON documents, for drivers in C: arguments of methods, request specs, JSON columns, replies.
 * Header-only, without allocation. gantry/driver/json.hpp is the same for C++. Example:
 *
 *   gantry_string seats;
 *   int64_t wanted = 1;
 *   if (gantry_json_member(method->args, "seats", &seats) && !gantry_json_integer(seats, &wanted))
 *     return host->fail(call, GANTRY_INVALID_ARGUMENT, ...);
 *
 *   char memory[256];
 *   gantry_json_writer reply = gantry_json_begin(memory, sizeof(memory));
 *   gantry_json_open(&reply, '{');
 *   gantry_json_key(&reply, "granted");
 *   gantry_json_write_integer(&reply, wanted);
 *   gantry_json_close(&reply, '}');
 *   return host->reply(call, gantry_json_end(&reply));
 *
 * A value is the part of a document that holds it. A document of the host is valid JSON. In any other text a function
 * finds less, and never reads past the end. The functions follow the locale "C", in which the service runs.
 */
#ifndef GANTRY_JSON_H
#define GANTRY_JSON_H

#include <gantry/driver.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(modernize-use-nullptr): the functions are C, too. */

/* ------------------------------------------------------------------------------------------------------------ read */

static inline const char* gantry_json_after_space(const char* at, const char* end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
  return at;
}

/* Returns the place behind the text that begins at `at`, a quotation mark. NULL: the text does not end. */
static inline const char* gantry_json_after_text(const char* at, const char* end) {
  for (++at; at < end; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\\') ++at;
  }
  return NULL;
}

/* Returns the place behind the value that begins at `at`. NULL: there is no whole value. */
static inline const char* gantry_json_after_value(const char* at, const char* end) {
  uint32_t depth = 0;
  if (at < end && *at != '"' && *at != '{' && *at != '[') {
    const char* const begin = at;
    while (at < end && strchr(",]}: \t\r\n", *at) == NULL) ++at;
    return at == begin ? NULL : at;
  }
  while (at != NULL && at < end) {
    if (*at == '"') {
      at = gantry_json_after_text(at, end);
    } else {
      if (*at == '{' || *at == '[') ++depth;
      if (*at == '}' || *at == ']') --depth;
      ++at;
    }
    if (depth == 0) return at;
  }
  return NULL;
}

/* Steps through an array or object: finds the next value and, in an object, the text of its key with quotation marks.
 * `*at` begins with NULL. Returns 0 behind the last value, or if `container` is neither an array nor an object. */
static inline int gantry_json_next(gantry_string container, const char** at, gantry_string* key, gantry_string* value) {
  const char* const end = container.data + container.size;
  const char* next = *at;
  const char* begin = NULL;
  const int is_first = next == NULL;
  if (container.size == 0) return 0;
  next = gantry_json_after_space(is_first ? container.data : next, end);
  if (next == end || (is_first ? *next != '{' && *next != '[' : *next != ',')) return 0;
  begin = gantry_json_after_space(next + 1, end);
  key->data = NULL;
  key->size = 0;
  if (*gantry_json_after_space(container.data, end) == '{') {
    if (begin == end || *begin != '"') return 0;
    next = gantry_json_after_text(begin, end);
    if (next == NULL) return 0;
    key->data = begin;
    key->size = (uint64_t)(next - begin);
    next = gantry_json_after_space(next, end);
    if (next == end || *next != ':') return 0;
    begin = gantry_json_after_space(next + 1, end);
  }
  next = gantry_json_after_value(begin, end);
  if (next == NULL) return 0;
  value->data = begin;
  value->size = (uint64_t)(next - begin);
  *at = next;
  return 1;
}

static inline uint32_t gantry_json_hex(const char* digits) {
  uint32_t value = 0;
  int index;
  for (index = 0; index < 4; ++index) {
    const char digit = digits[index];
    value <<= 4;
    if (digit >= '0' && digit <= '9') value |= (uint32_t)(digit - '0');
    if (digit >= 'a' && digit <= 'f') value |= (uint32_t)(digit - 'a' + 10);
    if (digit >= 'A' && digit <= 'F') value |= (uint32_t)(digit - 'A' + 10);
  }
  return value;
}

/* Decodes the character at `*at` within a text into 1 to 4 bytes of UTF-8. Returns their number. Half of a surrogate
 * pair becomes U+FFFD. */
static inline uint32_t gantry_json_character(const char** at, const char* end, char* out) {
  const char* next = *at;
  uint32_t point = 0;
  if (*next != '\\' || end - next < 2) {
    *out = *next;
    *at = next + 1;
    return 1;
  }
  *at = next + 2;
  if (next[1] != 'u') {
    const char* const found = strchr("b\bf\fn\nr\rt\t", next[1]);
    *out = found != NULL && next[1] > ' ' ? found[1] : next[1];
    return 1;
  }
  if (end - next < 6) {
    *out = 'u';
    return 1;
  }
  point = gantry_json_hex(next + 2);
  *at = next + 6;
  if (point >= 0xd800 && point < 0xdc00 && end - next >= 12 && next[6] == '\\' && next[7] == 'u') {
    const uint32_t low = gantry_json_hex(next + 8);
    if (low >= 0xdc00 && low < 0xe000) {
      point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
      *at = next + 12;
    }
  }
  if (point >= 0xd800 && point < 0xe000) point = 0xfffd;
  if (point < 0x80) {
    out[0] = (char)point;
    return 1;
  }
  if (point < 0x800) {
    out[0] = (char)(0xc0 | point >> 6);
    out[1] = (char)(0x80 | (point & 0x3f));
    return 2;
  }
  if (point < 0x10000) {
    out[0] = (char)(0xe0 | point >> 12);
    out[1] = (char)(0x80 | (point >> 6 & 0x3f));
    out[2] = (char)(0x80 | (point & 0x3f));
    return 3;
  }
  out[0] = (char)(0xf0 | point >> 18);
  out[1] = (char)(0x80 | (point >> 12 & 0x3f));
  out[2] = (char)(0x80 | (point >> 6 & 0x3f));
  out[3] = (char)(0x80 | (point & 0x3f));
  return 4;
}

static inline int gantry_json_is_text(gantry_string value) {
  return value.size >= 2 && value.data[0] == '"';
}

/* Reads a text. Writes at most `capacity` bytes of UTF-8 to `out`, without a NUL, and sets `*size` to the number of
 * bytes of the whole text. Returns 0 for any other value. `out` may be NULL if `capacity` is 0. */
static inline int gantry_json_text(gantry_string value, char* out, uint64_t capacity, uint64_t* size) {
  const char* at = value.data;
  const char* end = at;
  *size = 0;
  if (!gantry_json_is_text(value)) return 0;
  end = at + value.size - 1;
  ++at;
  while (at < end) {
    char bytes[4];
    const uint32_t count = gantry_json_character(&at, end, bytes);
    if (*size + count <= capacity) memcpy(out + *size, bytes, count);
    *size += count;
  }
  return 1;
}

/* Returns whether the value is this text. */
static inline int gantry_json_is(gantry_string value, gantry_string text) {
  const char* at = value.data;
  const char* end = at;
  uint64_t done = 0;
  if (!gantry_json_is_text(value)) return 0;
  end = at + value.size - 1;
  ++at;
  while (at < end) {
    char bytes[4];
    const uint32_t count = gantry_json_character(&at, end, bytes);
    if (text.size - done < count || memcmp(text.data + done, bytes, count) != 0) return 0;
    done += count;
  }
  return done == text.size;
}

/* Finds the value of a member of an object. Returns 0 if there is none. */
static inline int gantry_json_member(gantry_string object, const char* name, gantry_string* value) {
  const gantry_string wanted = {name, strlen(name)};
  const char* at = NULL;
  gantry_string key;
  while (gantry_json_next(object, &at, &key, value)) {
    if (gantry_json_is(key, wanted)) return 1;
  }
  value->data = NULL;
  value->size = 0;
  return 0;
}

/* Reads a number. Returns 0 for any other value. */
static inline int gantry_json_real(gantry_string value, double* out) {
  char copy[512];
  char* behind = NULL;
  if (value.size == 0 || value.size >= sizeof(copy)) return 0;
  if (value.data[0] != '-' && (value.data[0] < '0' || value.data[0] > '9')) return 0;
  memcpy(copy, value.data, value.size);
  copy[value.size] = '\0';
  *out = strtod(copy, &behind);
  return behind == copy + value.size;
}

/* Reads a whole number. 2.0 counts as 2. Returns 0 for any other value, also for a number
 * that 64 bits do not hold. */
static inline int gantry_json_integer(gantry_string value, int64_t* out) {
  const char* at = value.data;
  const char* const end = at + value.size;
  const int is_negative = value.size > 1 && *at == '-';
  uint64_t sum = 0;
  double real = 0;
  if (value.size == 0) return 0;
  for (at += is_negative; at < end && *at >= '0' && *at <= '9'; ++at) {
    const uint64_t digit = (uint64_t)(*at - '0');
    if (sum > (UINT64_MAX - digit) / 10) return 0;
    sum = sum * 10 + digit;
  }
  if (at < end) {
    if (!gantry_json_real(value, &real) || !(real >= -9.2e18 && real <= 9.2e18) || (double)(int64_t)real != real)
      return 0;
    *out = (int64_t)real;
    return 1;
  }
  if (sum > (uint64_t)INT64_MAX + (uint64_t)is_negative) return 0;
  *out = is_negative ? (int64_t)(0 - sum) : (int64_t)sum;
  return 1;
}

/* Reads true as 1 and false as 0. Returns 0 if the value is neither. */
static inline int gantry_json_boolean(gantry_string value, int* out) {
  *out = value.size == 4 && memcmp(value.data, "true", 4) == 0;
  return *out || (value.size == 5 && memcmp(value.data, "false", 5) == 0);
}

/* ----------------------------------------------------------------------------------------------------------- write */

/* A document that is written into memory of the caller. */
typedef struct gantry_json_writer {
  char* data;
  uint64_t capacity;
  uint64_t size; /* bytes of the whole document; above capacity: the memory is too small */
  int needs_comma;
} gantry_json_writer;

static inline gantry_json_writer gantry_json_begin(char* data, uint64_t capacity) {
  gantry_json_writer made;
  made.data = data;
  made.capacity = capacity;
  made.size = 0;
  made.needs_comma = 0;
  return made;
}

/* Returns the document. An empty text says that the memory was too small. */
static inline gantry_string gantry_json_end(const gantry_json_writer* writer) {
  const gantry_string document = {writer->data, writer->size <= writer->capacity ? writer->size : 0};
  return document;
}

static inline void gantry_json_put(gantry_json_writer* writer, const char* bytes, uint64_t count) {
  if (count != 0 && writer->size <= writer->capacity && count <= writer->capacity - writer->size)
    memcpy(writer->data + writer->size, bytes, count);
  writer->size += count;
}

/* Writes a value that is JSON already, for example a part of another document. */
static inline void gantry_json_write_raw(gantry_json_writer* writer, gantry_string json) {
  if (writer->needs_comma) gantry_json_put(writer, ",", 1);
  gantry_json_put(writer, json.data, json.size);
  writer->needs_comma = 1;
}

/* Opens an object, '{', or an array, '['. */
static inline void gantry_json_open(gantry_json_writer* writer, char bracket) {
  if (writer->needs_comma) gantry_json_put(writer, ",", 1);
  gantry_json_put(writer, &bracket, 1);
  writer->needs_comma = 0;
}

/* Closes an object, '}', or an array, ']'. */
static inline void gantry_json_close(gantry_json_writer* writer, char bracket) {
  gantry_json_put(writer, &bracket, 1);
  writer->needs_comma = 1;
}

/* Writes a text. The bytes must be UTF-8. */
static inline void gantry_json_write_text(gantry_json_writer* writer, gantry_string text) {
  uint64_t index;
  if (writer->needs_comma) gantry_json_put(writer, ",", 1);
  gantry_json_put(writer, "\"", 1);
  for (index = 0; index < text.size; ++index) {
    const unsigned char byte = (unsigned char)text.data[index];
    char escaped[8] = "\\";
    uint64_t count = 1;
    if (byte == '"' || byte == '\\') {
      escaped[1] = (char)byte;
      count = 2;
    } else if (byte < 0x20) {
      count = (uint64_t)snprintf(escaped, sizeof(escaped), "\\u%04x", (unsigned)byte);
    } else {
      escaped[0] = (char)byte;
    }
    gantry_json_put(writer, escaped, count);
  }
  gantry_json_put(writer, "\"", 1);
  writer->needs_comma = 1;
}

/* Writes the key of the next value of an object. */
static inline void gantry_json_key(gantry_json_writer* writer, const char* name) {
  const gantry_string key = {name, strlen(name)};
  gantry_json_write_text(writer, key);
  gantry_json_put(writer, ":", 1);
  writer->needs_comma = 0;
}

static inline void gantry_json_write_integer(gantry_json_writer* writer, int64_t value) {
  char text[24];
  const gantry_string json = {text, (uint64_t)snprintf(text, sizeof(text), "%lld", (long long)value)};
  gantry_json_write_raw(writer, json);
}

/* Writes a number so that reading gives the same one. An infinity or NaN, which JSON does not have, becomes null. */
static inline void gantry_json_write_real(gantry_json_writer* writer, double value) {
  char text[40];
  const int is_finite = value - value == 0;
  const int size = is_finite ? snprintf(text, sizeof(text), "%.17g", value) : snprintf(text, sizeof(text), "null");
  const gantry_string json = {text, (uint64_t)size};
  gantry_json_write_raw(writer, json);
}

static inline void gantry_json_write_boolean(gantry_json_writer* writer, int value) {
  const gantry_string json = {value ? "true" : "false", value ? 4u : 5u};
  gantry_json_write_raw(writer, json);
}

static inline void gantry_json_write_null(gantry_json_writer* writer) {
  const gantry_string json = {"null", 4};
  gantry_json_write_raw(writer, json);
}

/* NOLINTEND(modernize-use-nullptr) */

#ifdef __cplusplus
}
#endif

#endif /* GANTRY_JSON_H */
