foreach(name request calls stream)
    nfsbench_fuzz_test(${name} nfsbench_server nfsbench_nfs
                       SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_${name}.c ${CMAKE_CURRENT_LIST_DIR}/embedded.c
                               ${CMAKE_CURRENT_LIST_DIR}/tree_check.c)
endforeach()
# The fuzz target of the client. The embedded server, in the same process, answers its calls.
nfsbench_fuzz_test(client nfsbench_server nfsbench_target nfsbench_nfs
                   SOURCES ${CMAKE_CURRENT_LIST_DIR}/embedded.c ${CMAKE_CURRENT_LIST_DIR}/tree_check.c hostile.c
                   WRAPS endpoint_connect getaddrinfo freeaddrinfo clock_raw_ns random_system_seed
                         nanosleep)
target_include_directories(fuzz_client PRIVATE ${CMAKE_CURRENT_LIST_DIR})
