add_executable(bench_filter filter/filter_bench.cpp filter/filter_bench_capacity.cpp filter/filter_bench_nova.cpp filter/filter_bench_service.cpp filter/filter_counts.cpp filter/filter_fleet.cpp filter/filter_recorded.cpp
                            filter/filter_request.cpp filter/filter_scan.cpp filter/filter_subject.cpp service/service_child.cpp service/service_load.cpp
                            service/service_requests.cpp service/service_under_test.cpp)
target_link_libraries(bench_filter PRIVATE filter_rules gantry_scheduling gantry_encoding benchmark::benchmark Threads::Threads)
# What is compared with the driver is at its best.
set_source_files_properties(filter/filter_scan.cpp PROPERTIES COMPILE_OPTIONS -O3)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" build_flags)
target_compile_definitions(bench_filter PRIVATE
  GANTRY_BIN="${CMAKE_BINARY_DIR}/bin"
  GANTRY_BUILT_DRIVERS="${CMAKE_BINARY_DIR}/lib/gantry/drivers"
  GANTRY_NOVA_PROGRAM="${CMAKE_CURRENT_SOURCE_DIR}/filter/filter_nova.py"
  GANTRY_BUILD="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${build_flags}, the driver's rules -O3")
add_dependencies(bench_filter gantryd gantry-runner filter)
