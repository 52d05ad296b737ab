// SPDX-License-Identifier: Apache-2.0
//
// The macros with which frozen.c and frozen/ assert size, offset and exact type, in C11 and in C++17.
#pragma once

#include <gantry/driver.h>

#ifdef __cplusplus
#include <type_traits>
#define FROZEN(condition) static_assert(condition, #condition)
#define HAS_TYPE(owner, member, ...) std::is_same_v<decltype(owner::member), __VA_ARGS__>
#define IS_FUNCTION(name, ...) std::is_same_v<decltype(&name), __VA_ARGS__>
#else
#define FROZEN(condition) _Static_assert(condition, #condition)
#define HAS_TYPE(owner, member, ...) _Generic(&((owner*)0)->member, __typeof__(__VA_ARGS__)* : 1, default : 0)
#define IS_FUNCTION(name, ...) _Generic(&(name), __VA_ARGS__ : 1, default : 0)
#endif
#define SIZE(type, bytes) FROZEN(sizeof(type) == (bytes))
/* A struct that may grow has at least the size that it had in a release. */
#define GREW(type, bytes) FROZEN(sizeof(type) >= (bytes))
#define FIELD(owner, member, at, ...)      \
  FROZEN(offsetof(owner, member) == (at)); \
  FROZEN((HAS_TYPE(owner, member, __VA_ARGS__)))
