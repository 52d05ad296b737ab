add_executable(bench_nova nova/mirror_bench.cpp)
target_link_libraries(bench_nova PRIVATE gantry_nova_mirror benchmark::benchmark)
