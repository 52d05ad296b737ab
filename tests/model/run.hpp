// SPDX-License-Identifier: Apache-2.0
//
// A sequence made against the real manager, each answer judged by the model.
#pragma once

#include <optional>

#include "tests/model/model.hpp"

namespace gantry::model {

struct Failure {
  std::size_t step = 0;  // the one after which it showed
  std::string method;    // whose answer it was: of the step, or of a list that was asked behind it
  Complaint complaint;
};

// Begins with an empty store and ends at the first failure. Beside the steps, everything is listed now and then, at the
// end and after each restart.
std::optional<Failure> run(const std::string& driver, const std::vector<Step>& steps, Model model);
Model model_for(const std::string& driver);

// Shortens a failing sequence and writes it to a file in the working directory, or in $GANTRY_MODEL_DIRECTORY; says in
// a few lines what failed and how to run it again.
std::string report(const std::string& driver, const std::vector<Step>& steps, const Model& model,
                   const Failure& failure, std::string& path);

}  // namespace gantry::model
