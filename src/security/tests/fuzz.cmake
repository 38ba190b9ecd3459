if(OPENSSL_FOUND)
    nfsbench_fuzz_test(tls nfsbench_security PkgConfig::OPENSSL SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_tls.c)
endif()
if(GSSAPI_FOUND AND TARGET nfsbench_security_server)
    nfsbench_fuzz_test(gss nfsbench_security_server nfsbench_server nfsbench_nfs SOURCES ${CMAKE_CURRENT_LIST_DIR}/fuzz_gss.c
                               ${PROJECT_SOURCE_DIR}/src/serve/tests/embedded.c
                       WRAPS gss_acquire_cred_from gss_accept_sec_context gss_delete_sec_context gss_get_mic
                             gss_verify_mic gss_wrap gss_unwrap gss_localname)
    target_include_directories(fuzz_gss PRIVATE ${PROJECT_SOURCE_DIR}/src/serve/tests)
endif()
