nfsbench_fuzz_test(traffic nfsbench_profile SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_traffic.c)
