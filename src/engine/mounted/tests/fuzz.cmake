nfsbench_fuzz_test(mounts nfsbench_engine_mounted SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_mounts.c)
