#pragma once
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "distributed/peers.hpp"

namespace hallmark::distributed::test {

/// Ranks of one process, each used by a thread of its own or all by one.
class LocalPeers {
 public:
  explicit LocalPeers(std::uint32_t size) : inboxes_(size) {
    for (std::uint32_t rank = 0; rank < size; ++rank)
      ranks_.push_back(std::make_unique<Rank>(*this, rank));
  }

  Peers& at(std::uint32_t rank) { return *ranks_[rank]; }

 private:
  class Rank : public Peers {
   public:
    Rank(LocalPeers& all, std::uint32_t rank) : all_(all), rank_(rank) {}
    std::uint32_t rank() const override { return rank_; }
    std::uint32_t size() const override { return static_cast<std::uint32_t>(all_.inboxes_.size()); }
    void send(std::uint32_t to, base::Bytes message) override {
      const std::scoped_lock lock{all_.mutex_};
      all_.inboxes_[to].push_back({rank_, std::move(message)});
    }
    std::optional<Envelope> receive() override {
      const std::scoped_lock lock{all_.mutex_};
      auto& inbox = all_.inboxes_[rank_];
      if (inbox.empty()) return std::nullopt;
      Envelope first = std::move(inbox.front());
      inbox.pop_front();
      return first;
    }

   private:
    LocalPeers& all_;
    std::uint32_t rank_;
  };

  std::mutex mutex_;
  std::vector<std::deque<Envelope>> inboxes_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace hallmark::distributed::test
