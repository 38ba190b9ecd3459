nfsbench_fuzz_test(result nfsbench_commands SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_result.c)
