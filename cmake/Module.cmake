# What every target of the project's own shares: warnings, sanitizers, include path.
set(NFSBENCH_WARNINGS
    -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wformat=2 -Wundef -Wwrite-strings
    -Wno-unused-parameter             # functions in tables share a signature
    -Wno-missing-field-initializers)  # an entry of a table says only what it has
if(NFSBENCH_WERROR)
    list(APPEND NFSBENCH_WARNINGS -Werror)
endif()

function(nfsbench_sanitize target)
    if(NFSBENCH_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${NFSBENCH_SANITIZE}
                                                 -fno-sanitize-recover=all)
        target_link_options(${target} PUBLIC -fsanitize=${NFSBENCH_SANITIZE})
    endif()
endfunction()

# nfsbench_own(TARGET): TARGET is our code and keeps our rules.
function(nfsbench_own target)
    target_compile_options(${target} PRIVATE ${NFSBENCH_WARNINGS})
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    nfsbench_sanitize(${target})
endfunction()

# nfsbench_module(NAME SOURCES... [NEEDS LIBRARIES...]): one layer of src/ as a static library.
function(nfsbench_module name)
    cmake_parse_arguments(MODULE "" "" "NEEDS" ${ARGN})
    add_library(nfsbench_${name} STATIC ${MODULE_UNPARSED_ARGUMENTS})
    target_link_libraries(nfsbench_${name} PUBLIC ${MODULE_NEEDS})
    nfsbench_own(nfsbench_${name})
endfunction()
