// SPDX-License-Identifier: Apache-2.0
//
// The handling of a request by its session: admission by the head, routing, the call of the manager.
#include <boost/asio/post.hpp>
#include <utility>

#include "core/transport/api/foreign_page.hpp"
#include "core/transport/api/http_answer.hpp"
#include "core/transport/session/http_session.hpp"

namespace gantry::transport {

namespace {

constexpr std::uint64_t large_body = 64 * 1024;  // bytes; a longer body is a large one

Error try_later(std::string message) {
  return {ErrorCode::unavailable, std::move(message) + "; try again later", ""};
}

void set_caller(scheduling::MethodCall& call, std::shared_ptr<const scheduling::Caller> caller) {
  if (caller) call.peer += " token=" + caller->token_id;
  call.caller = std::move(caller);
}

// Returns the name under which the caller takes turns in the lane of long reads.
std::string_view who_calls(const scheduling::Caller* caller, std::string_view peer) {
  if (caller != nullptr) return caller->token_id;
  const bool is_local = peer.starts_with("unix ");
  return peer.substr(0, is_local ? peer.find(" pid=") : peer.rfind(':'));
}

// Takes a place among the requests that wait for their answers. False: there is none left, and the request is answered.
bool take_place(const HttpSessionContext& context, PendingAnswer& pending) {
  BudgetLease place(context.waiting_requests, 1);
  if (!place) {
    pending.give(scheduling::Answer(
        try_later("expected at most " + std::to_string(context.waiting_requests->most()) +
                  " requests to wait for their answers (server.max_waiting_requests), found one more")));
    return false;
  }
  pending.hold(std::move(place));
  return true;
}

// Takes a place for a call of a method that waits. A long poll needs none. False: there is none left, and the request is
// answered.
bool take_place_to_wait(const HttpSessionContext& context, const scheduling::MethodName& method,
                        const scheduling::MethodCall& call, PendingAnswer& pending) {
  if (!method.is_long) return true;
  auto place = context.examinations->take(std::string(who_calls(call.caller.get(), call.peer)));
  if (!place) {
    pending.give(
        scheduling::Answer(try_later("expected at most " + std::to_string(LongReads::most_waiting_of_one) +
                                     " examinations and reports of one caller to wait for their answers, and " +
                                     std::to_string(LongReads::most_waiting) + " of all callers, found one more")));
    return false;
  }
  pending.hold(std::move(place));
  return true;
}

bool take_place(const HttpSessionContext& context, const scheduling::MethodName& method,
                const scheduling::MethodCall& call, PendingAnswer& pending) {
  return method.waits ? take_place_to_wait(context, method, call, pending) : take_place(context, pending);
}

// A call that waited in a queue may be too late. False: it is, and has been answered.
bool is_in_time(const scheduling::MethodCall& call, PendingAnswer& pending) {
  if (std::chrono::steady_clock::now() < call.deadline) return true;
  pending.give(scheduling::Answer(Error{ErrorCode::deadline_exceeded,
                                        "expected to begin within the request's time (server.request_timeout, or its "
                                        "header X-Timeout-Ms), found others before it for so long",
                                        ""}));
  return false;
}

// Has the manager decide, on this thread. False: the call waits for its turn in a driver.
bool decide(const HttpSessionContext& context, scheduling::MethodCall call, std::shared_ptr<PendingAnswer> pending) {
  if (!is_in_time(call, *pending)) return true;
  return context.manager.handle(
      std::move(call), [pending = std::move(pending)](scheduling::Answer answer) { pending->give(std::move(answer)); });
}

// Decodes and decides a long read, and writes its answer, which is long, too.
void decide_long(const HttpSessionContext& context, HttpRequest request,
                 std::shared_ptr<const scheduling::Caller> caller, const std::shared_ptr<PendingAnswer>& pending) {
  auto routed = context.routes.route(std::move(request));
  if (auto* answer = std::get_if<HttpAnswer>(&routed.outcome)) return pending->give(std::move(*answer));
  auto& call = std::get<scheduling::MethodCall>(routed.outcome);
  pending->describe(routed.request_id, call.method);
  set_caller(call, std::move(caller));
  if (!is_in_time(call, *pending)) return;
  context.manager.handle(std::move(call),
                         [pending, id = std::move(routed.request_id)](const scheduling::Answer& answer) {
                           pending->give(answer_to(answer, id));
                         });
}

}  // namespace

// Returns whether a further look may find more.
bool HttpSession::take_request() {
  auto& reader = connection_.reader;
  if (is_reading_ || !takes_requests()) return false;
  const bool is_new = !reader.is_within_request();
  if (is_new && pause_if_due()) return false;
  const auto found = reader.next();
  if (is_new) deadlines_.begin(Clock::now());
  switch (found) {
    case RequestReader::Found::nothing: return !lease_small_reads();
    case RequestReader::Found::head: on_head(); break;
    case RequestReader::Found::request:
      on_request();
      // Here, where no moved-from part of the call is left on this thread: the parts share memory with the call.
      if (first_call_ && answers_.is_empty()) move_to_workers();
      break;
    case RequestReader::Found::refusal: answer_and_close(reader.take_refusal()); break;
  }
  return true;
}

// Each small read costs the kernel more than the server, so the requests that arrive in small reads are bounded. False:
// the request has been refused.
bool HttpSession::lease_small_reads() {
  if (small_reads_lease_ || !connection_.reader.is_within_request() || !connection_.pacing.has_small_reads())
    return true;
  small_reads_lease_ = BudgetLease(context_.small_read_requests, 1);
  if (small_reads_lease_) return true;
  answer_and_close(error_answer(try_later("expected at most " + std::to_string(context_.small_read_requests->most()) +
                                          " requests at a time that arrive in pieces of less than " +
                                          std::to_string(ClientPacing::small_read) + " bytes, found one more"),
                                new_request_id()));
  return false;
}

// Refuses before the body is read. A refused request whose body has arrived is answered in its turn, and the connection
// goes on.
void HttpSession::on_head() {
  const RequestHead& head = connection_.reader.head();
  refusal_ = admit(head);
  if (!refusal_ && (caller_ || !is_document(head.request.target))) connection_.seat->prove();
  if (!refusal_) refusal_ = head.refusal;
  if (!refusal_ && !lease_body(head)) {
    refusal_ = error_answer(try_later("the bodies that are being received take all the room there is for them"),
                            new_request_id());
  }
  if (head.is_complete) return;
  if (refusal_) return answer_and_close(*std::exchange(refusal_, std::nullopt));
  if (!head.expects_continue) return;
  if (auto refused = context_.routes.refuse_head(head.request)) return answer_and_close(std::move(*refused));
  answers_.add_continue();
}

std::optional<HttpAnswer> HttpSession::refuse_foreign_page(const RequestHead& head) const {
  const auto request_id = [&head] { return request_id_of(head.request); };
  if (connection_.endpoint->kind == Endpoint::Kind::tcp && !is_name_of_this_machine(head.host)) {
    return error_answer({ErrorCode::permission_denied,
                         "header Host: expected a loopback address or localhost, since no token is asked for here "
                         "(server.require_tokens); found " +
                             (head.host.empty() ? "none" : in_quotes(head.host)),
                         ""},
                        request_id(), 421);
  }
  if (!is_from_foreign_page(head.origin, head.host)) return std::nullopt;
  return error_answer({ErrorCode::permission_denied,
                       "a web page of " + in_quotes(head.origin) +
                           " may not call without a token: expected the page that gantryd serves at /ui/, under an "
                           "address of this machine or localhost",
                       ""},
                      request_id());
}

std::optional<HttpAnswer> HttpSession::admit(const RequestHead& head) {
  const bool requires_token = connection_.endpoint->requires_token;
  caller_.reset();
  const auto& caller = connection_.caller.now();
  const bool is_trusted = caller && *caller == nullptr;
  if (head.authorization.empty() && !requires_token && is_trusted) return refuse_foreign_page(head);
  auto admitted =
      head.authorization.empty() && !is_trusted
          ? context_.access.admit(caller, head.request.target, connection_.peer)
          : context_.access.admit(head.authorization, head.request.target, requires_token, connection_.peer);
  if (!admitted) return error_answer(admitted.error(), request_id_of(head.request));
  caller_ = *std::move(admitted);
  return std::nullopt;
}

bool HttpSession::lease_body(const RequestHead& head) {
  if (head.body_bytes <= large_body || head.is_complete) return true;
  body_lease_ = BudgetLease(context_.body_bytes, head.body_bytes);
  return static_cast<bool>(body_lease_);
}

void HttpSession::on_request() {
  HttpRequest request = connection_.reader.take_request();
  request.peer = connection_.peer;
  request.arrived = Clock::now();
  connection_.pacing.note_request();
  small_reads_lease_.release();
  auto body_lease = std::exchange(body_lease_, {});
  const auto connection = request.connection;
  if (connection == ConnectionToken::close) phase_ = Phase::answering;
  if (refusal_) return fill(answers_.add(connection), *std::exchange(refusal_, std::nullopt));
  if (request.body.size() > large_body) return decide_apart(std::move(request), std::move(body_lease));
  if (context_.routes.is_long(request.target)) return read_apart(std::move(request));
  auto routed = context_.routes.route(std::move(request));
  if (auto* answer = std::get_if<HttpAnswer>(&routed.outcome))
    return fill(answers_.add(connection), std::move(*answer));
  RoutedCall call{std::move(routed.request_id), connection,
                  std::get<scheduling::MethodCall>(std::move(routed.outcome))};
  set_caller(call.call, std::move(caller_));
  if (client_ == ClientClass::proven) return begin_call(std::move(call));
  first_call_ = std::move(call);
}

// Decodes and decides a request with a large body on the strand for these. A call of a driver, which may hold its
// thread for long, leaves that strand to the others.
void HttpSession::decide_apart(HttpRequest request, BudgetLease body_lease) {
  auto pending = add_pending(request.connection);
  boost::asio::post(
      context_.pools.large_requests(), [&context = context_, pending = std::move(pending), request = std::move(request),
                                        caller = std::move(caller_), body_lease = std::move(body_lease)]() mutable {
        auto routed = std::make_unique<Routed>(context.routes.route(std::move(request)));
        if (auto* answer = std::get_if<HttpAnswer>(&routed->outcome)) return pending->give(std::move(*answer));
        auto& call = std::get<scheduling::MethodCall>(routed->outcome);
        pending->describe(std::move(routed->request_id), call.method);
        set_caller(call, std::move(caller));
        const auto& method = *context.routes.method_named(call.method);
        if (!take_place(context, method, call, *pending)) return;
        if (!method.calls_driver) {
          decide(context, std::move(call), std::move(pending));
          return;
        }
        // As a whole: the parts of the call share memory, so none may be left on this thread.
        context.pools.pool(ClientClass::stranger)
            .run([&context, routed = std::move(routed), pending = std::move(pending),
                  body_lease = std::move(body_lease)]() mutable {
              decide(context, std::get<scheduling::MethodCall>(std::move(routed->outcome)), std::move(pending));
            });
      });
}

// Leaves a long read to its lane.
void HttpSession::read_apart(HttpRequest request) {
  const auto pending = add_pending(request.connection);
  pending->describe(request_id_of(request), std::string(method_of(request.target)));
  if (!take_place(context_, *pending)) return;
  const std::string who(who_calls(caller_.get(), request.peer));
  auto read = [&context = context_, pending, request = std::move(request), caller = std::move(caller_)]() mutable {
    decide_long(context, std::move(request), std::move(caller), pending);
  };
  if (context_.pools.long_reads().submit(who, std::move(read))) return;
  pending->give(
      scheduling::Answer(try_later("expected at most " + std::to_string(LongReads::most_waiting_of_one) +
                                   " lists, exports and the like of one caller to wait for their turn, and " +
                                   std::to_string(LongReads::most_waiting) + " of all callers, found one more")));
}

void HttpSession::begin_call(RoutedCall routed) {
  auto pending = add_pending(routed.connection);
  pending->describe(std::move(routed.request_id), routed.call.method);
  const auto& method = *context_.routes.method_named(routed.call.method);
  if (!take_place(context_, method, routed.call, *pending)) return;
  if (method.calls_driver) return call_driver(std::move(routed.call), std::move(pending));
  decide(context_, std::move(routed.call), std::move(pending));
}

// Has the manager decide on the strand, as for any call. A driver that hangs holds the strand, and the answer is given
// by another thread meanwhile. Then the connection has gone on without this session when the driver returns.
void HttpSession::call_driver(scheduling::MethodCall call, std::shared_ptr<PendingAnswer> pending) {
  const auto slot = pending->slot();
  auto state = deciding(slot);
  deciding_ = state;
  const auto decide_on_strand = [&] {
    const WorkerPool::Entry entry(context_.pools.pool(ClientClass::proven));
    return decide(context_, std::move(call), std::move(pending));
  };
  const bool is_decided = decide_on_strand();
  if (!deciding_.compare_exchange_strong(state, not_deciding)) return deciding_.wait(is_moving);
  if (!is_decided) waits_for_turn_ = slot;
}

// Moves the connection to another session, because this session's strand is held by a call that is answered. Runs on a
// thread of the pool, off the strand. Not if the call has returned meanwhile.
void HttpSession::go_on_elsewhere(std::uint64_t slot) {
  auto state = deciding(slot);
  if (!deciding_.compare_exchange_strong(state, is_moving)) return;
  // Until is_moved, this thread alone uses the session. The operation of a write under way belongs to the strand.
  if (answers_.is_writing() || !connection_.stream->move_to(context_.pools.new_strand(ClientClass::proven))) {
    finish();
  } else {
    const auto moved = new_session();
    moved->answers_ = std::move(answers_);
    moved->small_reads_lease_ = std::move(small_reads_lease_);
    moved->predecessor_ = shared_from_this();
    {
      const std::lock_guard lock(inbox_mutex_);
      successor_ = moved;
      moved->inbox_.swap(inbox_);
    }
    if (context_.connections->replace(this, moved)) moved->post_inbox();
  }
  deciding_ = is_moved;
  deciding_.notify_all();
}

// Returns a session on a strand of the workers that takes over the connection, whose stream is there already. This
// session has ended.
std::shared_ptr<HttpSession> HttpSession::new_session() {
  forget_unsent();
  auto moved = std::make_shared<HttpSession>(std::move(connection_), context_, ClientClass::proven);
  moved->phase_ = std::exchange(phase_, Phase::ended);
  deadline_timer_.cancel();
  pause_timer_.cancel();
  return moved;
}

std::shared_ptr<PendingAnswer> HttpSession::add_pending(ConnectionToken connection) {
  return std::make_shared<PendingAnswer>(context_.connections, weak_from_this(), answers_.add(connection).number);
}

// Ends this session and begins another for the connection, on a worker's strand, with first_call_. Nothing is being
// read or written now.
void HttpSession::move_to_workers() {
  if (!connection_.stream->move_to(context_.pools.new_strand(ClientClass::proven))) return finish();
  const auto moved = new_session();
  moved->first_call_ = std::exchange(first_call_, std::nullopt);
  if (!context_.connections->replace(this, moved)) return;
  boost::asio::post(moved->strand_, [moved] {
    moved->begin_call(*std::exchange(moved->first_call_, std::nullopt));
    moved->proceed();
  });
}

}  // namespace gantry::transport
