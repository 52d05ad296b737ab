-- SPDX-License-Identifier: Apache-2.0
--
-- Two filters and a weigher of a site. gantry-lua(7) has all that a policy can say. The driver leaves out hosts that are
-- down, disabled or without room before it asks the filters.

local reserve_mb = 512 -- MiB of physical memory kept free on each host

-- Of whole columns: asked once for all hosts.
filter "reserve" {
  reason = "the memory left is kept in reserve",
  columns = function(view, request)
    return (view.memory_mb - view.memory_mb_used):at_least(request.memory_mb + reserve_mb)
  end,
}

-- Of one host: `--hint rack=r2` asks for a rack, which hosts report as a value of their stats.
filter "rack" {
  host = function(host, request)
    local wanted = request.hints.rack
    return wanted == nil or host.stats.rack == wanted[1], "another rack"
  end,
}

weigh "memory left" {
  columns = function(view)
    return view.memory_mb - view.memory_mb_used
  end,
}
