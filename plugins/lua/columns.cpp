// SPDX-License-Identifier: Apache-2.0
#include "columns.hpp"

#include <cstring>

#include "column_operations.hpp"
#include "sandbox.hpp"

namespace lua_driver {

namespace {

constexpr const char* type_name = "column";

std::size_t words_of(std::uint32_t rows) {
  return (std::size_t{rows} + 63) / 64;
}

// Pushes a column of numbers that the caller fills, in whole blocks of 64.
double* push_numbers(lua_State* lua, std::uint32_t rows, const std::uint64_t* validity) {
  auto* const numbers = static_cast<double*>(sandbox::of(lua).buffer(lua, (words_of(rows) * 64 + 1) * sizeof(double)));
  push_column(lua, {0, column_kind::reals, rows, numbers, validity, nullptr});
  return numbers;
}

const column& check_marks(lua_State* lua, int index) {
  const column& found = check_column(lua, index);
  if (found.kind != column_kind::marks)
    luaL_error(lua, "expected marks, as comparisons give, found %s", words_for(found.kind));
  return found;
}

// A number or a column of numbers.
operand check_operand(lua_State* lua, int index) {
  if (lua_type(lua, index) == LUA_TNUMBER) return {operand::form::number, nullptr, nullptr, lua_tonumber(lua, index)};
  const column& found = check_column(lua, index);
  switch (found.kind) {
    case column_kind::integers: return {operand::form::integers, found.values, found.validity, 0};
    case column_kind::reals: return {operand::form::reals, found.values, found.validity, 0};
    case column_kind::marks: return {operand::form::marks, found.values, nullptr, 0};
    case column_kind::missing: return {operand::form::number, nullptr, found.validity, 0};
    default: luaL_error(lua, "expected numbers, found %s", words_for(found.kind));
  }
  return {};
}

std::uint32_t rows_of(lua_State* lua, int first, int second) {
  const column* found = column_at(lua, first);
  return found != nullptr ? found->rows : check_column(lua, second).rows;
}

// Returns the rows that have a value in both. nullptr: all.
const std::uint64_t* both_valid(lua_State* lua, const operand& left, const operand& right, std::uint32_t rows) {
  if (left.validity == nullptr) return right.validity;
  if (right.validity == nullptr) return left.validity;
  auto* const words =
      static_cast<std::uint64_t*>(sandbox::of(lua).buffer(lua, (words_of(rows) + 1) * sizeof(std::uint64_t)));
  for (std::size_t at = 0; at < words_of(rows); ++at) words[at] = left.validity[at] & right.validity[at];
  return words;
}

template <arithmetic Operation>
int compute(lua_State* lua) {
  const operand left = check_operand(lua, 1);
  const operand right = check_operand(lua, 2);
  const std::uint32_t rows = rows_of(lua, 1, 2);
  const std::uint64_t* const valid = both_valid(lua, left, right, rows);
  double* const out = push_numbers(lua, rows, valid);
  compute_numbers(Operation, left, right, rows, out);
  return 1;
}

int negate(lua_State* lua) {
  const operand right = check_operand(lua, 1);
  const std::uint32_t rows = rows_of(lua, 1, 1);
  double* const out = push_numbers(lua, rows, right.validity);
  compute_numbers(arithmetic::minus, {operand::form::number, nullptr, nullptr, 0}, right, rows, out);
  return 1;
}

// column:at_least(other), and so on.
template <comparison Operation>
int compare(lua_State* lua) {
  const operand left = check_operand(lua, 1);
  const operand right = check_operand(lua, 2);
  const std::uint32_t rows = rows_of(lua, 1, 2);
  const std::uint64_t* const valid = both_valid(lua, left, right, rows);
  compare_numbers(Operation, left, right, rows, valid, push_marks(lua, rows));
  return 1;
}

template <class Combine>
int combine(lua_State* lua, Combine combine) {
  const column& left = check_marks(lua, 1);
  const column& right = check_marks(lua, 2);
  std::uint64_t* const out = push_marks(lua, left.rows);
  const auto* const first = static_cast<const std::uint64_t*>(left.values);
  const auto* const second = static_cast<const std::uint64_t*>(right.values);
  for (std::size_t at = 0; at < words_of(left.rows); ++at) out[at] = combine(first[at], second[at]);
  return 1;
}

int both(lua_State* lua) {
  return combine(lua, [](std::uint64_t left, std::uint64_t right) { return left & right; });
}
int either(lua_State* lua) {
  return combine(lua, [](std::uint64_t left, std::uint64_t right) { return left | right; });
}
int one_of_both(lua_State* lua) {
  return combine(lua, [](std::uint64_t left, std::uint64_t right) { return left ^ right; });
}
int invert(lua_State* lua) {
  return combine(lua, [](std::uint64_t left, std::uint64_t) { return ~left; });
}

// a < b: Lua makes true or false of each result, so that a comparison of columns cannot be written so.
int refuse_comparison(lua_State* lua) {
  return luaL_error(lua,
                    "columns cannot be compared by an operator: write column:below(x), column:at_most(x), "
                    "column:above(x) or column:at_least(x)");
}

// column:known(): the rows that have a value.
int known(lua_State* lua) {
  const column& self = check_column(lua, 1);
  std::uint64_t* const out = push_marks(lua, self.rows);
  for (std::size_t at = 0; at < words_of(self.rows); ++at)
    out[at] = self.validity == nullptr ? ~std::uint64_t{0} : self.validity[at];
  return 1;
}

// column:default(x): x in the rows without a value.
int with_default(lua_State* lua) {
  const operand self = check_operand(lua, 1);
  const double other = luaL_checknumber(lua, 2);
  const std::uint32_t rows = rows_of(lua, 1, 1);
  double* const out = push_numbers(lua, rows, nullptr);
  compute_numbers(arithmetic::plus, self, {operand::form::number, nullptr, nullptr, 0}, rows, out);
  if (self.validity == nullptr) return 1;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (((self.validity[row / 64] >> (row % 64)) & 1) == 0) out[row] = other;
  }
  return 1;
}

// marks:choose(a, b): a in the rows with a mark, b in the others.
int choose(lua_State* lua) {
  const column& self = check_marks(lua, 1);
  const operand chosen = check_operand(lua, 2);
  const operand other = check_operand(lua, 3);
  double* const out = push_numbers(lua, self.rows, both_valid(lua, chosen, other, self.rows));
  choose_numbers(static_cast<const std::uint64_t*>(self.values), chosen, other, self.rows, out);
  return 1;
}

int count(lua_State* lua) {
  const column& self = check_marks(lua, 1);
  lua_pushinteger(lua, gantry::bits(static_cast<const std::uint64_t*>(self.values), self.rows).count());
  return 1;
}

constexpr luaL_Reg operators[] = {{"__add", sandbox::guarded<compute<arithmetic::plus>>},
                                  {"__sub", sandbox::guarded<compute<arithmetic::minus>>},
                                  {"__mul", sandbox::guarded<compute<arithmetic::times>>},
                                  {"__div", sandbox::guarded<compute<arithmetic::over>>},
                                  {"__unm", sandbox::guarded<negate>},
                                  {"__band", sandbox::guarded<both>},
                                  {"__bor", sandbox::guarded<either>},
                                  {"__bxor", sandbox::guarded<one_of_both>},
                                  {"__bnot", sandbox::guarded<invert>},
                                  {"__lt", refuse_comparison},
                                  {"__le", refuse_comparison},
                                  {nullptr, nullptr}};

constexpr luaL_Reg methods[] = {{"at_least", sandbox::guarded<compare<comparison::at_least>>},
                                {"at_most", sandbox::guarded<compare<comparison::at_most>>},
                                {"above", sandbox::guarded<compare<comparison::above>>},
                                {"below", sandbox::guarded<compare<comparison::below>>},
                                {"equals", sandbox::guarded<equals>},
                                {"one_of", sandbox::guarded<one_of>},
                                {"where", sandbox::guarded<where>},
                                {"min", sandbox::guarded<compute<arithmetic::least>>},
                                {"max", sandbox::guarded<compute<arithmetic::greatest>>},
                                {"known", sandbox::guarded<known>},
                                {"default", sandbox::guarded<with_default>},
                                {"choose", sandbox::guarded<choose>},
                                {"count", sandbox::guarded<count>},
                                {nullptr, nullptr}};

}  // namespace

std::uint64_t* push_marks(lua_State* lua, std::uint32_t rows) {
  const std::size_t bytes = (words_of(rows) + 1) * sizeof(std::uint64_t);
  auto* const words = static_cast<std::uint64_t*>(sandbox::of(lua).buffer(lua, bytes));
  std::memset(words, 0, bytes);
  push_column(lua, {0, column_kind::marks, rows, words, nullptr, nullptr});
  return words;
}

const column& check_column(lua_State* lua, int index) {
  if (const column* found = column_at(lua, index)) return *found;
  if (luaL_testudata(lua, index, type_name) != nullptr)
    luaL_error(lua, "a column is used after the rule that computed it");
  luaL_error(lua, "expected a column, found %s", luaL_typename(lua, index));
  return *column_at(lua, index);
}

int compare_equal(lua_State* lua) {
  return compare<comparison::equal>(lua);
}

void open_columns(lua_State* lua) {
  luaL_newmetatable(lua, type_name);
  luaL_setfuncs(lua, operators, 0);
  lua_newtable(lua);
  luaL_setfuncs(lua, methods, 0);
  lua_setfield(lua, -2, "__index");
  lua_pop(lua, 1);
}

void push_column(lua_State* lua, const column& value) {
  auto* const made = static_cast<column*>(lua_newuserdatauv(lua, sizeof(column), 0));
  *made = value;
  made->moment = sandbox::of(lua).moment();
  luaL_setmetatable(lua, type_name);
}

void push_host_column(lua_State* lua, const char* name, const gantry_column* raw, std::uint32_t rows) {
  if (raw == nullptr) {
    const std::size_t bytes = (words_of(rows) + 1) * sizeof(std::uint64_t);
    auto* const none = static_cast<std::uint64_t*>(sandbox::of(lua).buffer(lua, bytes));
    std::memset(none, 0, bytes);
    return push_column(lua, {0, column_kind::missing, rows, nullptr, none, nullptr});
  }
  switch (raw->type) {
    case GANTRY_TYPE_BOOL: {
      std::uint64_t* const out = push_marks(lua, rows);
      const auto* const values = static_cast<const std::uint64_t*>(raw->values);
      for (std::size_t at = 0; at < words_of(rows); ++at)
        out[at] = values[at] & (raw->validity == nullptr ? ~std::uint64_t{0} : raw->validity[at]);
      return;
    }
    case GANTRY_TYPE_I64: return push_column(lua, {0, column_kind::integers, rows, raw->values, raw->validity, raw});
    case GANTRY_TYPE_F64: return push_column(lua, {0, column_kind::reals, rows, raw->values, raw->validity, raw});
    case GANTRY_TYPE_STRING: return push_column(lua, {0, column_kind::texts, rows, raw->values, raw->validity, raw});
    case GANTRY_TYPE_SET: return push_column(lua, {0, column_kind::sets, rows, raw->values, raw->validity, raw});
    default: luaL_error(lua, "column '%s' has lists or documents: read host.%s in a function of one host", name, name);
  }
}

const column* column_at(lua_State* lua, int index) {
  const auto* const found = static_cast<const column*>(luaL_testudata(lua, index, type_name));
  return found != nullptr && found->moment == sandbox::of(lua).moment() ? found : nullptr;
}

void read_numbers(const column& from, double* numbers, gantry::bitmap& wanted) {
  operand source{operand::form::reals, from.values, from.validity, 0};
  if (from.kind == column_kind::integers) source.is = operand::form::integers;
  if (from.kind == column_kind::marks) source.is = operand::form::marks;
  if (from.kind == column_kind::missing) source.is = operand::form::number;
  if (from.validity != nullptr) wanted.keep({from.validity, from.rows});
  copy_numbers(source, from.rows, numbers);
}

const char* words_for(column_kind kind) {
  switch (kind) {
    case column_kind::integers:
    case column_kind::reals: return "a column of numbers";
    case column_kind::texts: return "a column of texts";
    case column_kind::sets: return "a column of aggregates";
    case column_kind::marks: return "marks";
    case column_kind::missing: return "a column without values";
  }
  return "a column";
}

}  // namespace lua_driver
