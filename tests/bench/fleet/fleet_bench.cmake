add_executable(bench_fleet fleet/fleet_bench.cpp fleet/fleet_load.cpp)
target_link_libraries(bench_fleet PRIVATE gantry_fleet benchmark::benchmark)
