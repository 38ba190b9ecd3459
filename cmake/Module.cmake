# Functions that define the project's targets, and options that the targets share: warnings, sanitizers, include path.
set(NFSBENCH_WARNINGS
    -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wformat=2 -Wundef -Wwrite-strings
    -Wno-unused-parameter             # functions in tables share a signature
    -Wno-missing-field-initializers)  # table entries set only some members
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

# nfsbench_own(TARGET): compile TARGET, code of this project, with the project's warnings, include path and sanitizers.
function(nfsbench_own target)
    target_compile_options(${target} PRIVATE ${NFSBENCH_WARNINGS})
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/units)
    nfsbench_sanitize(${target})
endfunction()

# nfsbench_module(NAME SOURCES... [NEEDS LIBRARIES...]): define the static library nfsbench_NAME.
function(nfsbench_module name)
    cmake_parse_arguments(MODULE "" "" "NEEDS" ${ARGN})
    add_library(nfsbench_${name} STATIC ${MODULE_UNPARSED_ARGUMENTS})
    target_link_libraries(nfsbench_${name} PUBLIC ${MODULE_NEEDS})
    nfsbench_own(nfsbench_${name})
endfunction()

# nfsbench_embed(TARGET FILE): make a header FILE.h for TARGET's sources: the initializers of an array with the bytes of FILE
# and a 0 at the end.
function(nfsbench_embed target file)
    file(READ ${file} text HEX)
    string(REGEX REPLACE "(..)" "0x\\1," text "${text}")
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${file}.h CONTENT "@text@0\n" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# nfsbench_add_needed(NAME LIBRARIES...): add the folders of those LIBRARIES that only units need, unless another unit has
# added them. It is an error if NAME needs a unit that is left out.
function(nfsbench_add_needed name)
    foreach(library ${ARGN})
        string(REGEX REPLACE "^nfsbench_" "" folder ${library})
        set(source ${PROJECT_SOURCE_DIR}/src/${folder})
        if(TARGET ${library} OR NOT EXISTS ${source}/CMakeLists.txt OR folder IN_LIST NFSBENCH_UNITS)
            continue()
        elseif(EXISTS ${source}/manual.mdoc)
            message(FATAL_ERROR "NFSBENCH_WITHOUT: the unit '${name}' needs '${folder}': leave out both, or none")
        endif()
        add_subdirectory(${source} ${PROJECT_BINARY_DIR}/src/${folder})
        set_property(GLOBAL APPEND PROPERTY NFSBENCH_UNIT_LIBRARIES ${folder})
    endforeach()
endfunction()

# nfsbench_kinds("ENUMERATOR, \"key\", \"name for users\""...): register kinds of results. If a library of units registers one, it
# also appends " VIEW(NAME)" to the property NFSBENCH_LIBRARY_VIEWS for the kind's view, view_NAME.
function(nfsbench_kinds)
    foreach(kind ${ARGN})
        set_property(GLOBAL APPEND_STRING PROPERTY NFSBENCH_UNIT_KINDS " KIND(${kind})")
    endforeach()
endfunction()

# nfsbench_unit(NAME SOURCES... [KINDS "ENUMERATOR, \"key\", \"name for users\""...] [FORMS "ARGUMENTS OF FORM()"...]
# [NEEDS LIBRARIES...]): define the library of a unit of src/. A unit is a command, command_NAME. Its library links job. KINDS are
# the kinds of results that the command makes (output/result/kind.h), FORMS the forms of only these kinds (job/forms.h).
function(nfsbench_unit name)
    cmake_parse_arguments(UNIT "" "" "KINDS;FORMS;NEEDS" ${ARGN})
    set(files README.md manual.mdoc tests/CMakeLists.txt)
    if(UNIT_KINDS)
        list(APPEND files FORMAT.md tests/sample.c)
    endif()
    foreach(file ${files})
        if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
            message(FATAL_ERROR "the unit '${name}' lacks src/${name}/${file}; CONTRIBUTING.md says what a unit has")
        endif()
    endforeach()
    nfsbench_add_needed(${name} ${UNIT_NEEDS})
    nfsbench_module(${name} ${UNIT_UNPARSED_ARGUMENTS} NEEDS nfsbench_job ${UNIT_NEEDS})
    nfsbench_kinds(${UNIT_KINDS})
    foreach(form ${UNIT_FORMS})
        set_property(GLOBAL APPEND_STRING PROPERTY NFSBENCH_UNIT_FORMS " FORM(${form})")
    endforeach()
endfunction()

# nfsbench_fill(LIST "ENTRY"...): add entries to LIST. An ENTRY has the arguments of a macro by which the core makes a table.
function(nfsbench_fill list)
    foreach(entry ${ARGN})
        set_property(GLOBAL APPEND_STRING PROPERTY NFSBENCH_LIST_${list} " ENTRY(${entry})")
    endforeach()
endfunction()

# nfsbench_lists(FILE LIST...): make the header FILE, which defines each LIST as a macro of its entries.
function(nfsbench_lists file)
    set(text)
    foreach(list ${ARGN})
        get_property(entries GLOBAL PROPERTY NFSBENCH_LIST_${list})
        string(APPEND text "#define ${list}(ENTRY)${entries}\n")
    endforeach()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/units/${file} CONTENT "@text@" @ONLY)
endfunction()

# nfsbench_units(NAME...): add the folders of these units, and make the headers that list all commands, the kinds and forms of
# units, and the views of their libraries.
function(nfsbench_units)
    foreach(name ${ARGN})
        add_subdirectory(${name})
    endforeach()
    list(TRANSFORM NFSBENCH_COMMANDS REPLACE "(.+)" " COMMAND(\\1)" OUTPUT_VARIABLE commands)
    string(CONCAT commands ${commands})
    get_property(kinds GLOBAL PROPERTY NFSBENCH_UNIT_KINDS)
    get_property(forms GLOBAL PROPERTY NFSBENCH_UNIT_FORMS)
    get_property(views GLOBAL PROPERTY NFSBENCH_LIBRARY_VIEWS)
    set_property(GLOBAL PROPERTY NFSBENCH_UNITS ${ARGN} ${NFSBENCH_PARTS})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/units/command_list.h CONTENT "#define COMMANDS(COMMAND)@commands@\n" @ONLY)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/units/unit_kinds.h CONTENT "#define UNIT_KINDS(KIND)@kinds@\n" @ONLY)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/units/library_views.h CONTENT "#define LIBRARY_VIEWS(VIEW)@views@\n" @ONLY)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/units/unit_forms.h CONTENT "#define UNIT_FORMS(FORM)@forms@\n" @ONLY)
endfunction()

# nfsbench_engine(NAME SOURCES... [NEEDS LIBRARIES...] [BY_TARGET] [CALLS_LIBRARY] [LACKS PACKAGE]): define the library of an
# optional engine, engine_NAME (engine/engine.h). BY_TARGET: the target chooses the engine, so the help of --engine does not name
# it. CALLS_LIBRARY: link src/engine/library, the code that engines with a library for RPC share. LACKS PACKAGE: the engine is not
# built, because PACKAGE is missing; the program says so to a user who requests the engine.
function(nfsbench_engine name)
    cmake_parse_arguments(ENGINE "BY_TARGET;CALLS_LIBRARY" "LACKS" "NEEDS" ${ARGN})
    if(NOT ENGINE_BY_TARGET)
        set_property(GLOBAL APPEND PROPERTY NFSBENCH_ENGINE_NAMES ${name})
    endif()
    if(ENGINE_LACKS)
        set_property(GLOBAL APPEND_STRING PROPERTY NFSBENCH_ENGINES_LACKING " LACKING(\"${name}\", \"${ENGINE_LACKS}\")")
        return()
    endif()
    if(ENGINE_CALLS_LIBRARY)
        list(APPEND ENGINE_NEEDS nfsbench_engine_library)
    endif()
    if(ENGINE_CALLS_LIBRARY AND NOT TARGET nfsbench_engine_library)
        add_subdirectory(${PROJECT_SOURCE_DIR}/src/engine/library ${PROJECT_BINARY_DIR}/src/engine/library)
    endif()
    nfsbench_module(engine_${name} ${ENGINE_UNPARSED_ARGUMENTS} NEEDS nfsbench_engine ${ENGINE_NEEDS})
    set_property(GLOBAL APPEND PROPERTY NFSBENCH_ENGINES_BUILT ${name})
endfunction()

# nfsbench_engines(NAME...): add these folders of src/engine, each with an engine, and make the table of all engines.
function(nfsbench_engines)
    foreach(name ${ARGN})
        add_subdirectory(engine/${name})
    endforeach()
    get_property(built GLOBAL PROPERTY NFSBENCH_ENGINES_BUILT)
    list(TRANSFORM built REPLACE "(.+)" " ENGINE(\\1)" OUTPUT_VARIABLE engines)
    string(CONCAT engines ${engines})
    get_property(lacking GLOBAL PROPERTY NFSBENCH_ENGINES_LACKING)
    get_property(named GLOBAL PROPERTY NFSBENCH_ENGINE_NAMES) # "wire (default), tirpc or libnfs"
    list(PREPEND named "wire (default)")
    list(JOIN named ", " names)
    string(REGEX REPLACE ", ([^,]+)$" " or \\1" names "${names}")
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/units/engine_list.h CONTENT
         "#define ENGINES(ENGINE)@engines@\n#define ENGINES_LACKING(LACKING)@lacking@\n#define ENGINE_NAMES \"@names@\"\n" @ONLY)
    list(TRANSFORM built PREPEND nfsbench_engine_)
    nfsbench_module(engines engine/engines.c NEEDS nfsbench_engine ${built})
    set_property(GLOBAL PROPERTY NFSBENCH_ENGINES ${ARGN})
endfunction()
