// SPDX-License-Identifier: Apache-2.0
//
// A call of a method that calls a driver. It may have to wait for its turn in the driver, and it may be given up while
// it is in the driver.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/drivers/driver.hpp"
#include "core/scheduling/manager.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/service/calls_under_way.hpp"

namespace gantry::scheduling {

class DrivenCall;

// The manager, as a driven call sees it. No member function may block.
class DrivenCallOwner {
 public:
  virtual ~DrivenCallOwner() = default;
  // The call's turn has come: runs the call on a thread of the executor.
  virtual void run_later(std::shared_ptr<DrivenCall> call) = 0;
  // The call did not get its turn, and will not run. It is answered with `error`.
  virtual void refuse(DrivenCall& call, Error error) = 0;
  // The call is in the driver for too long. It is answered with `error`, and its result will be dropped.
  virtual void give_up(DrivenCall& call, Error error) = 0;
};

class DrivenCall final : public drivers::Turn, public std::enable_shared_from_this<DrivenCall> {
 public:
  DrivenCall(DrivenCallOwner& owner, const Method& called, drivers::Driver& called_driver, MethodCall given,
             Done answer)
      : method(called),
        driver(called_driver),
        call(std::move(given)),
        idempotency_key(call.idempotency_key),
        done(std::move(answer)),
        owner_(owner) {
    call.turn = this;
  }

  void come() override { owner_.run_later(shared_from_this()); }
  void lose(const Error& error) override { owner_.refuse(*this, error); }
  void give_up(const Error& error) override { owner_.give_up(*this, error); }

  const Method& method;
  drivers::Driver& driver;
  MethodCall call;                    // belongs to the thread that runs the call
  const std::string idempotency_key;  // the call's
  Done done;                          // answers the caller. Called by the call's thread, or else by give_up()
  CallsUnderWay::Entered answered{};  // once the call is given up: its count among the calls under way

 private:
  DrivenCallOwner& owner_;
};

}  // namespace gantry::scheduling
