// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/authority_threads.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <utility>

namespace gantry::scheduling {

class AuthorityThreads::Pool {
 public:
  Pool() : threads_(count) {}
  ~Pool() { threads_.join(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run(std::function<void()> work) { boost::asio::post(threads_, std::move(work)); }

 private:
  boost::asio::thread_pool threads_;
};

AuthorityThreads::AuthorityThreads() : pool_(std::make_unique<Pool>()) {}
AuthorityThreads::~AuthorityThreads() = default;

void AuthorityThreads::run(std::function<void()> work) {
  pool_->run(std::move(work));
}

}  // namespace gantry::scheduling
