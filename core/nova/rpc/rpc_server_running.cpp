// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/rpc_server_running.hpp"

#include <pthread.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "core/encoding/random.hpp"

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds goodbye_time{2};

}  // namespace

RpcServer::Running::Running(Parts parts)
    : context_(std::make_shared<boost::asio::io_context>(1)),
      most_under_way_(std::max<std::size_t>(parts.settings.most_under_way, 1)),
      topic_(parts.settings.topic),
      handler_(parts.handler),
      logger_(parts.logger),
      counters_(parts.counters),
      work_(context_->get_executor()),
      strand_(context_->get_executor()),
      consuming_health_("requests", logger_, counters_),
      publishing_health_("answers", logger_, counters_),
      consuming_(strand_, parts.brokers, random_number(), consuming_events()),
      publishing_(strand_, parts.brokers, random_number(), publishing_events()),
      consumers_(consuming_, strand_, std::move(parts.queues), parts.settings.prefetch, logger_, consumer_events()),
      sender_(publishing_, parts.settings.kombu_missing_consumer_retry_timeout, logger_, counters_),
      requests_(request_parts(parts), [this] { on_closed(); }),
      direct_({handler_, parts.journal, logger_, counters_, post_if_alive()}, [this] { on_closed(); }),
      tick_(strand_) {}

RpcServer::Running::~Running() {
  end_thread();
}

RequestsUnderWay::Parts RpcServer::Running::request_parts(const Parts& parts) {
  return {handler_,  sender_,         parts.journal,        logger_,
          counters_, post_if_alive(), parts.settings.topic, parts.settings.rpc_ping_enabled};
}

// A callback may outlive the server.
DirectRequests::Post RpcServer::Running::post_if_alive() const {
  return [weak = std::weak_ptr(context_)](std::function<void()> task) {
    if (const auto context = weak.lock()) boost::asio::post(*context, std::move(task));
  };
}

void RpcServer::Running::on_closed() {
  boost::asio::post(strand_, [this] { take_held(); });
}

amqp::KeptConnectionEvents RpcServer::Running::consuming_events() {
  amqp::KeptConnectionEvents events;
  events.on_up = [this] {
    consuming_health_.on_up(consuming_.broker());
    consumers_.begin();
  };
  events.on_down = [this](const Error& reason) {
    consumers_.on_down();
    consuming_health_.on_down(reason.message);
  };
  return events;
}

amqp::KeptConnectionEvents RpcServer::Running::publishing_events() {
  amqp::KeptConnectionEvents events;
  events.on_up = [this] {
    publishing_health_.on_up(publishing_.broker());
    sender_.on_up();
  };
  events.on_down = [this](const Error& reason) {
    sender_.on_down();
    publishing_health_.on_down(reason.message);
  };
  events.on_blocked = [this](const std::string& reason) { publishing_health_.on_blocked(reason); };
  events.on_unblocked = [this] { publishing_health_.on_unblocked(); };
  return events;
}

QueueConsumersEvents RpcServer::Running::consumer_events() {
  QueueConsumersEvents events;
  events.on_delivery = [this](amqp::Delivery delivery, const std::shared_ptr<amqp::Channel>& channel) {
    held_.push_back({std::move(delivery), channel});
    take_held();
  };
  events.on_consuming = [this](bool casts_are_lost) { on_consuming(casts_are_lost); };
  events.on_stopped = [this] {
    held_.clear();
    const std::lock_guard lock(mutex_);
    is_consuming_ = false;
  };
  return events;
}

void RpcServer::Running::on_consuming(bool casts_are_lost) {
  {
    const std::lock_guard lock(mutex_);
    is_consuming_ = true;
  }
  if (!casts_are_lost) return;
  counters_->add("nova_casts_lost", "", 1);
  logger_->write(telemetry::Level::warning, "the queue of casts was gone and is made again; casts may be lost");
  handler_.on_casts_lost();
}

void RpcServer::Running::take(const Held& held) {
  requests_.take(held.delivery, [&held] { held.channel->ack(held.delivery.delivery_tag); });
}

void RpcServer::Running::take_held() {
  while (!held_.empty() && requests_.count() < most_under_way_) {
    const auto next = std::move(held_.front());
    held_.pop_front();
    take(next);
  }
  note_counts();
}

void RpcServer::Running::note_counts() {
  {
    const std::lock_guard lock(mutex_);
    under_way_ = requests_.count() + direct_.count();
    replies_waiting_ = sender_.waiting();
  }
  changed_.notify_all();
  if ((requests_.count() > 0 || !direct_.is_empty()) && !is_ticking_) arm_tick();
}

void RpcServer::Running::arm_tick() {
  is_ticking_ = true;
  tick_.expires_after(DeadQueues::retry_interval);
  tick_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    is_ticking_ = false;
    const auto now = std::chrono::steady_clock::now();
    requests_.tick(now);
    direct_.tick(now);
    sender_.tick(now);
    note_counts();
  });
}

void RpcServer::Running::post(std::function<void()> task) {
  boost::asio::post(strand_, std::move(task));
}

void RpcServer::Running::start() {
  post([this] {
    requests_.take_up([this](JournalEntry entry) { direct_.take_up(std::move(entry)); });
    note_counts();
    consuming_.start();
    publishing_.start();
  });
  thread_ = std::thread([context = context_] {
    ::pthread_setname_np(::pthread_self(), "gantry-rpc");
    context->run();
  });
}

void RpcServer::Running::pause() {
  {
    const std::lock_guard lock(mutex_);
    are_others_told_ = false;
  }
  post([this] {
    consumers_.pause([this] { look_for_others(); });
    direct_.set_paused(true);
    held_.clear();
    const std::lock_guard lock(mutex_);
    is_paused_ = true;
    changed_.notify_all();
  });
}

void RpcServer::Running::look_for_others() {
  if (!consuming_.is_up()) return note_others(std::nullopt);
  const auto channel = consuming_.open_channel([](const Error&) {});
  channel->look_up_queue(topic_, [this, asked = std::weak_ptr(channel)](const Result<amqp::QueueState>& found) {
    // A queue that ends with its last consumer has none.
    const bool is_gone = !found && found.error().code == ErrorCode::not_found;
    note_others(found ? std::optional(found->consumers) : is_gone ? std::optional<std::uint32_t>(0) : std::nullopt);
    if (const auto open = asked.lock(); open && open->is_open()) open->close([](const Result<void>&) {});
  });
}

void RpcServer::Running::note_others(std::optional<std::uint32_t> others) {
  {
    const std::lock_guard lock(mutex_);
    others_ = others;
    are_others_told_ = true;
  }
  changed_.notify_all();
}

std::optional<std::uint32_t> RpcServer::Running::other_consumers(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  const bool is_told = changed_.wait_until(lock, deadline, [this] { return are_others_told_; });
  return is_told ? others_ : std::nullopt;
}

void RpcServer::Running::resume() {
  post([this] {
    {
      const std::lock_guard lock(mutex_);
      is_paused_ = false;
    }
    consumers_.resume();
    direct_.set_paused(false);
  });
}

bool RpcServer::Running::wait_until_idle(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return is_paused_ && under_way_ == 0; });
}

bool RpcServer::Running::stop(std::chrono::steady_clock::time_point deadline) {
  if (!thread_.joinable()) return true;
  pause();
  const bool is_idle = wait_until_idle(deadline);
  post([this] { direct_.end(); });
  say_goodbye();
  end_thread();
  return is_idle;
}

void RpcServer::Running::say_goodbye() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  const auto on_goodbye = [this] {
    const std::lock_guard lock(mutex_);
    ++goodbyes_;
    changed_.notify_all();
  };
  post([this, on_goodbye] {
    consuming_.close(on_goodbye);
    publishing_.close(on_goodbye);
  });
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, goodbye_time, [this] { return goodbyes_ == 2; });
}

void RpcServer::Running::take(DirectRequest request) {
  {
    const std::lock_guard lock(mutex_);
    if (has_ended_) return request.done(Error{ErrorCode::unavailable, "the service is stopping", {}});
  }
  const auto taken = std::make_shared<DirectRequest>(std::move(request));
  post([this, taken] {
    direct_.take(std::move(*taken));
    note_counts();
  });
}

void RpcServer::Running::end_thread() {
  if (!thread_.joinable()) return;
  context_->stop();
  thread_.join();
}

RpcServerStatus RpcServer::Running::status() const {
  RpcServerStatus status;
  status.broker = consuming_health_.broker();
  status.trouble = consuming_health_.trouble();
  if (status.trouble.empty()) status.trouble = publishing_health_.trouble();
  const std::lock_guard lock(mutex_);
  status.is_connected = is_consuming_ && publishing_health_.is_up();
  status.is_paused = is_paused_;
  status.under_way = under_way_;
  status.replies_waiting = replies_waiting_;
  return status;
}

}  // namespace gantry::nova
