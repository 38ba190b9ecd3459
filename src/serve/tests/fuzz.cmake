foreach(name request calls stream)
    nfsbench_fuzz_test(${name} nfsbench_server nfsbench_nfs
                       SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_${name}.c ${CMAKE_CURRENT_LIST_DIR}/embedded.c
                               ${CMAKE_CURRENT_LIST_DIR}/tree_check.c)
endforeach()
# The client, which the server in memory answers.
nfsbench_fuzz_test(client nfsbench_server nfsbench_target nfsbench_nfs
                   SOURCES ${CMAKE_CURRENT_LIST_DIR}/embedded.c ${CMAKE_CURRENT_LIST_DIR}/tree_check.c hostile.c
                   WRAPS endpoint_connect getaddrinfo freeaddrinfo clock_raw_ns random_system_seed
                         nanosleep)
target_include_directories(fuzz_client PRIVATE ${CMAKE_CURRENT_LIST_DIR})
if(GSSAPI_FOUND)
    nfsbench_fuzz_test(gss nfsbench_server nfsbench_nfs
                       SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_gss.c ${CMAKE_CURRENT_LIST_DIR}/embedded.c
                       WRAPS gss_acquire_cred_from gss_accept_sec_context gss_delete_sec_context gss_get_mic
                             gss_verify_mic gss_wrap gss_unwrap gss_localname)
endif()
