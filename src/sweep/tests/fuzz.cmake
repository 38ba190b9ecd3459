nfsbench_fuzz_test(variants nfsbench_commands SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_variants.c)
