// SPDX-License-Identifier: Apache-2.0
//
// The methods about access tokens, for admins.
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/methods.hpp"

namespace gantry::scheduling {

using enum ArgumentType;

std::vector<Method> token_methods() {
  return {
      {"create_token",
       Effect::changes,
       "Makes a token known. Its text is made up by the caller, who sends its hash alone.",
       {required("name", text, "Whose it is, for people.", "node1's agent"),
        required("role", text, "What its bearer may call.", "agent").one_of("reader|service|agent|admin"),
        required("sha256", text, "Of the token's text, in 64 lower-case hexadecimal digits; the text is to be random.",
                 "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        optional("host", text, "The only host that an agent speaks for.", "node1"),
        optional("topics", texts, "A service's own topics; an agent's, empty: any.", R"(["compute"])"),
        optional("expires_in", integer, "Seconds; 0: never.", "86400").otherwise("0").between(0, 315'360'000)},
       "Token",
       create_token},
      {"list_tokens",
       Effect::reads,
       "The tokens, by id; never their texts.",
       {page_limit, page_marker},
       "[Token]",
       list_tokens},
      {"revoke_token",
       Effect::changes,
       "Forgets a token: calls of its bearer are refused, those that wait included.",
       {required("token", text, "Its id.", "9f86d081884c")},
       "Nothing",
       revoke_token},
  };
}

}  // namespace gantry::scheduling
