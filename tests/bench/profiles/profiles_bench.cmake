add_executable(bench_profiles profiles/profiles_bench.cpp)
target_link_libraries(bench_profiles PRIVATE gantry_test_manager GTest::gtest)
target_compile_definitions(bench_profiles PRIVATE GANTRY_DRIVERS="${CMAKE_BINARY_DIR}/lib/gantry/drivers")
add_dependencies(bench_profiles chance)
