# cmake -DSOURCE=DIR -DVERSION=X.Y.Z -DOUTPUT=FILE -P Commit.cmake
# Write the commit that is built to the header OUTPUT, as git describes it; where SOURCE is no
# repository (a tarball's, or one within another project's), the version. An unchanged file keeps its time.
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
