nfsbench_fuzz_test(prediction nfsbench_explain SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_prediction.c)
nfsbench_fuzz_test(far_side nfsbench_explain SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_far_side.c
                   WRAPS remote_command_start)
