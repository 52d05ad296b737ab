// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file/link_rules.hpp"

#include "core/drivers/file/refusal.hpp"

namespace gantry::drivers {

std::vector<Error> link_problems(const ElfFile& file, std::string_view path) {
  std::vector<Error> problems;
  if (file.has_text_relocations) {
    problems.push_back(refuse(path, {"text relocations", "none: code that is never written to",
                                     "code that ld.so would have to change (DT_TEXTREL)",
                                     "compile each part with -fPIC; -Wl,-z,text finds the part that is not"}));
  }
  if (file.has_executable_stack) {
    problems.push_back(
        refuse(path, {"executable stack", "a stack without code (PT_GNU_STACK without the flag E)",
                      "a request for executable stacks of all threads",
                      "link with -Wl,-z,noexecstack; parts in assembly need a section .note.GNU-stack"}));
  }
  // A small variable would mostly find a place. Whether it does depends on the libraries that came before, so a check
  // cannot promise that the next start loads the file.
  if (file.has_static_tls) {
    problems.push_back(refuse(path, {"static TLS", "thread-local variables that are placed when the file is loaded",
                                     "some that need a place set aside at the start of the process (DF_STATIC_TLS)",
                                     "compile with -fPIC and without -ftls-model=initial-exec, allocators linked into "
                                     "it as well"}));
  }
  if (file.asks_to_be_global) {
    problems.push_back(
        refuse(path, {"scope", "symbols that are its own", "the wish that they bind in all objects (DF_1_GLOBAL)",
                      "link without -z global"}));
  }
  if (file.asks_to_be_first) {
    problems.push_back(refuse(path, {"order of constructors", "constructors that run after those of its libraries",
                                     "the wish to be first (DF_1_INITFIRST)", "link without -z initfirst"}));
  }
  return problems;
}

}  // namespace gantry::drivers
