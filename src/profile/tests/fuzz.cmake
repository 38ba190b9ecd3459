nfsbench_fuzz_test(traffic nfsbench_profile SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_traffic.c)
nfsbench_fuzz_test(workload nfsbench_profile SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_workload.c)
