add_executable(bench_drivers drivers/driver_bench.cpp)
target_link_libraries(bench_drivers PRIVATE gantry_sdk benchmark::benchmark ${CMAKE_DL_LIBS})
target_compile_definitions(bench_drivers PRIVATE GANTRY_DRIVERS="${CMAKE_BINARY_DIR}/lib/gantry/drivers")
add_dependencies(bench_drivers chance simple ip volume lua)
