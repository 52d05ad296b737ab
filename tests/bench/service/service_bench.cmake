add_executable(bench_service service/service_bench.cpp service/service_bare_server.cpp service/service_bare_store.cpp service/service_child.cpp service/service_idle.cpp
                             service/service_load.cpp service/service_requests.cpp service/service_under_test.cpp)
target_link_libraries(bench_service PRIVATE gantry_store gantry_encoding Boost::headers SQLite::SQLite3
                                            Threads::Threads)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" build_flags)
target_compile_definitions(bench_service PRIVATE
  GANTRY_BIN="${CMAKE_BINARY_DIR}/bin"
  GANTRY_BUILT_DRIVERS="${CMAKE_BINARY_DIR}/lib/gantry/drivers"
  GANTRY_BUILD="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${build_flags}")
add_dependencies(bench_service gantryd chance ip)
