# cmake -DCOMPILER=<program> -DSTANDARD=<c11|c++17|..> -DINCLUDE=<dir> -DSOURCE=<file> -P compile_header.cmake
if(NOT EXISTS "${COMPILER}")
  message("SKIPPED: ${NAME} is not installed")
  return()
endif()
string(FIND "${STANDARD}" "+" plus)
if(plus EQUAL -1)
  set(language c)
else()
  set(language c++)
endif()
execute_process(
  COMMAND ${COMPILER} -std=${STANDARD} -Wall -Wextra -Wpedantic -Wpadded -Wshadow -Wconversion -Werror -fsyntax-only
          -I ${INCLUDE} -include gantry/driver.h -x ${language} ${SOURCE}
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "expected ${SOURCE} to compile without a warning as ${STANDARD} with ${COMPILER}")
endif()
