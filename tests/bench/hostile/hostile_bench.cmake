add_executable(bench_hostile hostile/hostile_bench.cpp hostile/hostile_attack.cpp ../end_to_end/running_gantry.cpp)
target_link_libraries(bench_hostile PRIVATE gantry_fake_server gantry_encoding OpenSSL::SSL GTest::gtest)
target_compile_definitions(bench_hostile PRIVATE
  GANTRY_BIN_DIRECTORY="${CMAKE_BINARY_DIR}/bin"
  GANTRY_BUILT_DRIVERS="${CMAKE_BINARY_DIR}/lib/gantry/drivers")
add_dependencies(bench_hostile gantryd gantry bundled_drivers)
