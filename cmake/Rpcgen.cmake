# nfsbench_rpcgen(TARGET FILE.x SOURCES...): define the static library TARGET of the XDR routines that rpcgen makes from FILE.x,
# and of SOURCES. A target that links TARGET can include "FILE.h".
find_program(RPCGEN rpcgen REQUIRED)

function(nfsbench_rpcgen target protocol)
    get_filename_component(name ${protocol} NAME_WE)
    set(input ${CMAKE_CURRENT_SOURCE_DIR}/${protocol})
    set(outputs)
    foreach(kind h c)
        if(kind STREQUAL h)
            set(output ${name}.h)
        else()
            set(output ${name}_xdr.c)
        endif()
        # Run rpcgen on a copy in the current directory, because it writes its input's path into its output. Remove the
        # old output first, because rpcgen does not overwrite files. Make one output after the other, so that no rpcgen
        # reads the copy while another command writes it.
        add_custom_command(
            OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
            COMMAND ${CMAKE_COMMAND} -E copy ${input} ${CMAKE_CURRENT_BINARY_DIR}/${name}.x
            COMMAND ${CMAKE_COMMAND} -E rm -f ${output}
            COMMAND ${RPCGEN} -M -N -${kind} -o ${output} ${name}.x
            DEPENDS ${input} ${outputs}
            WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
            COMMENT "rpcgen ${output}"
            VERBATIM)
        list(APPEND outputs ${CMAKE_CURRENT_BINARY_DIR}/${output})
    endforeach()
    add_library(${target} STATIC ${outputs} ${ARGN})
    set_source_files_properties(${outputs} PROPERTIES COMPILE_OPTIONS -w)
    target_include_directories(${target} SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
    target_link_libraries(${target} PUBLIC nfsbench_proto_list)
    nfsbench_own(${target})
endfunction()
