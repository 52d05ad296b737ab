// SPDX-License-Identifier: Apache-2.0
//
// Whole columns as values of Lua. A column has numbers, texts, sets of aggregates, or marks: one truth for each row, as a
// bitmap. Arithmetic of columns and numbers gives columns of numbers, comparisons give marks, `&`, `|` and `~` combine
// marks. A row without a value has none in the result of arithmetic either, and no mark in that of a comparison.
//
// A column is valid while the rule runs that has computed it. Its memory is the host's or a buffer of the sandbox.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>

#include "lua_headers.hpp"

namespace lua_driver {

enum class column_kind : std::int32_t { integers, reals, texts, sets, marks, missing };

struct column {
  std::uint64_t moment = 0;  // the sandbox's, when the column was made
  column_kind kind = column_kind::missing;
  std::uint32_t rows = 0;
  const void* values = nullptr;             // integers, reals: numbers; texts, sets: codes; marks: a bitmap
  const std::uint64_t* validity = nullptr;  // nullptr: each row has a value. Always for marks
  const gantry_column* raw = nullptr;       // texts, sets: the column with its dictionary
};

// Registers what a column can do. Once for each state.
void open_columns(lua_State* lua);

// Pushes marks that the caller fills; none is set.
std::uint64_t* push_marks(lua_State* lua, std::uint32_t rows);
// Pushes a column.
void push_column(lua_State* lua, const column& value);
// Pushes a column of the host; nullptr: a column in which no row has a value. Raises an error for lists and documents.
void push_host_column(lua_State* lua, const char* name, const gantry_column* raw, std::uint32_t rows);

// Returns the column at an index of the stack; nullptr if the value is none, or is one of an earlier rule.
const column* column_at(lua_State* lua, int index);

// The same; raises an error in place of nullptr.
const column& check_column(lua_State* lua, int index);

// Compares numbers: column:equals(number or column).
int compare_equal(lua_State* lua);
// The methods of columns of texts and aggregates, in columns_texts.cpp: equals, one_of, where.
int equals(lua_State* lua);
int one_of(lua_State* lua);
int where(lua_State* lua);

// Writes the number of each row whose bit is set in `wanted`. Marks count as 0 and 1. Clears the bits of rows that have
// no number. The column has integers, reals, marks or nothing.
void read_numbers(const column& from, double* numbers, gantry::bitmap& wanted);

// Returns the words for a column in messages.
const char* words_for(column_kind kind);

}  // namespace lua_driver
