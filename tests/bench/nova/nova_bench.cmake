add_executable(bench_nova nova/mirror_bench.cpp)
target_link_libraries(bench_nova PRIVATE gantry_nova_mirror benchmark::benchmark)

# Requests for devices that placement knows, with the filter driver's decision.
add_executable(bench_nova_devices nova/devices_bench.cpp)
target_link_libraries(bench_nova_devices PRIVATE gantry_nova_mirror gantry_scheduling gantry_drivers benchmark::benchmark)
target_compile_definitions(bench_nova_devices PRIVATE GANTRY_BUILT_DRIVERS="${CMAKE_BINARY_DIR}/lib/gantry/drivers")
add_dependencies(bench_nova_devices filter)
