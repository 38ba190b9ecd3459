# cmake -DSOURCE=DIR -DVERSION=X.Y.Z -DOUTPUT=FILE -P Commit.cmake
# Define NFSBENCH_COMMIT in the header OUTPUT: the commit as git describes it, or the version if SOURCE is not the top of a
# repository (a tarball, or a copy within another project). If the header does not change, it keeps its time.
cmake_minimum_required(VERSION 3.25)
set(commit "v${VERSION}")
set(described "")
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel
                    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(REAL_PATH ${SOURCE} source)
    if(top STREQUAL source)
        execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --tags
                        OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
endif()
if("${described}" MATCHES "^[A-Za-z0-9._/+-]+$")
    set(commit ${described})
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define NFSBENCH_COMMIT \"@commit@\"\n" @ONLY)
