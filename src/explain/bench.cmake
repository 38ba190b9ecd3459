nfsbench_bench(trace_cost ${CMAKE_CURRENT_LIST_DIR}/tests/trace_cost.c made_call.c)
target_link_libraries(bench_trace_cost PRIVATE nfsbench_explain)
target_include_directories(bench_trace_cost PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
