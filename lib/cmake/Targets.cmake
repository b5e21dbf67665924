# Makes libraries from the folders of src/ and lib/, and defines the compiler options of all our
# targets.

get_filename_component(SHFLVIZ_LIB ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
get_filename_component(SHFLVIZ_ROOT ${SHFLVIZ_LIB} DIRECTORY)

include(${CMAKE_CURRENT_LIST_DIR}/Hardening.cmake)

# gcc 15 warns about an array that is initialised with a string but has no room for its NUL, such as
# the magic bytes of a file.
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wunterminated-string-initialization SHFLVIZ_UNTERMINATED)

# Sets this project's warnings, sanitizers and feature macros on a target.
function(shflviz_target_settings target)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wshadow -Wpointer-arith -Wundef>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
    $<$<AND:$<BOOL:${SHFLVIZ_UNTERMINATED}>,$<COMPILE_LANGUAGE:C>>:-Wno-unterminated-string-initialization>
    $<$<AND:$<BOOL:${SHFLVIZ_WERROR}>,$<COMPILE_LANGUAGE:C,CXX>>:-Werror>)
  shflviz_harden(${target})
  if(SHFLVIZ_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${SHFLVIZ_SANITIZE}
      -fno-omit-frame-pointer>
      # A sanitizer's test for NULL makes gcc assume that a format may be NULL.
      "$<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-format-truncation;-Wno-format-overflow>")
    if(SHFLVIZ_SANITIZE STREQUAL "thread")
      # ThreadSanitizer does not understand the fence after the tags that a GPU writes (device/gpu/cells.c).
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-tsan>)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${SHFLVIZ_SANITIZE})
  endif()
  if(SHFLVIZ_COVERAGE)
    target_compile_definitions(${target} PRIVATE SHFLVIZ_COVERAGE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:--coverage -fprofile-update=atomic>)
    target_link_options(${target} PRIVATE --coverage)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE") # wraps the exits that would lose the counts
      target_link_options(${target} PRIVATE -Wl,--wrap=_exit,--wrap=raise,--wrap=abort,--wrap=write)
      target_sources(${target} PRIVATE ${SHFLVIZ_ROOT}/tests/coverage/exit.c)
    endif()
  endif()
endfunction()

# shflviz_instrumentation(VARIABLE): sets VARIABLE to the options of this build that instrument code.
# A program that links to one of our libraries needs them too.
function(shflviz_instrumentation variable)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(options UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
  list(FILTER options INCLUDE REGEX
    "^(--coverage|-ftest-coverage|-fcoverage-mapping|-fprofile-|-fsanitize|-fxray-instrument|-pg$)")
  if(SHFLVIZ_SANITIZE)
    list(APPEND options -fsanitize=${SHFLVIZ_SANITIZE})
  endif()
  set(${variable} "${options}" PARENT_SCOPE)
endfunction()

# shflviz_library(NAME [SOURCES a.c ...] DEPENDS other ...)
# Makes the library of one folder (static; tests/mutation/run makes them shared) or, without sources,
# of its headers. DEPENDS are the arrows of docs/ARCHITECTURE.md: libraries that it does not name are
# not linked, and tests/project checks that their headers are not included either.
function(shflviz_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  set(scope PUBLIC)
  if(arg_SOURCES)
    set(kind STATIC)
    if(SHFLVIZ_FOLDERS_SHARED)
      set(kind SHARED)
    endif()
    add_library(shflviz_${name} ${kind} ${arg_SOURCES})
    shflviz_target_settings(shflviz_${name})
  else()
    set(scope INTERFACE)
    add_library(shflviz_${name} INTERFACE)
  endif()
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${SHFLVIZ_LIB}/") # knows nothing about src/
    target_include_directories(shflviz_${name} ${scope} ${SHFLVIZ_LIB})
  else()
    target_include_directories(shflviz_${name} ${scope} ${SHFLVIZ_ROOT}/src ${SHFLVIZ_LIB})
  endif()
  set_property(GLOBAL APPEND PROPERTY SHFLVIZ_LIBRARIES ${name})
  set_property(GLOBAL PROPERTY SHFLVIZ_DEPENDS_${name} "${arg_DEPENDS}") # for the architecture test
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(shflviz_${name} ${scope} shflviz_${dependency})
  endforeach()
endfunction()

# shflviz_unit_test(NAME SOURCES a.c ... LIBRARIES shflviz_x ...): makes a cmocka program, which ctest
# runs as NAME.
function(shflviz_unit_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${arg_LIBRARIES} PkgConfig::CMOCKA)
  # cmocka 2 has new names for some assertions, but Debian 12 and 13 have cmocka 1, which lacks them.
  target_compile_definitions(test_${name} PRIVATE CMOCKA_DISABLE_DEPRECATION_WARNINGS)
  shflviz_target_settings(test_${name})
  add_test(NAME ${name} COMMAND test_${name})
endfunction()

# Labels the tests of the current folder that have no label yet, for `ctest -L unit`. To be called
# after the tests are defined.
function(shflviz_label_tests label)
  get_property(every DIRECTORY PROPERTY TESTS)
  set(tests)
  foreach(test IN LISTS every)
    get_property(labelled TEST ${test} PROPERTY LABELS)
    if(NOT labelled)
      list(APPEND tests ${test})
    endif()
  endforeach()
  set_property(TEST ${tests} APPEND PROPERTY LABELS ${label})
  # With a cache in the build folder, these tests neither fill the user's cache nor depend on it.
  # SHFLVIZ_HEADERS=now: they leave nothing running when they end.
  set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache
    SHFLVIZ_HEADERS=now)
  # Tests that take more than about three seconds of processor time are left to `./bootstrap test
  # slow`. The longest run first, so that no processor has to wait for one of them at the end.
  foreach(test IN LISTS tests)
    set(cost 0)
    if(test MATCHES "^(cli_(faults|own|build)|launch_kernel_details|cudacpu_programs|device_(ptx|header_cache)|project_(headers|package)|serve_class)$")
      set(cost 100)
    elseif(test MATCHES "^(check_(right|wrong|spins)|cli_(exercise|lessons|memory|notebook|progress)|cudacpu_confine|device_(jobs|own_gpu)|export_schema|figures_(latex|renderers)|course_lesson_screens|project_(action|readme|site)|terminal_exercise)")
      set(cost 50)
    elseif(test MATCHES "^(exercise_|web_|serve_(load|page)$)")
      set(cost 10)
    endif()
    if(cost)
      set_property(TEST ${test} PROPERTY COST ${cost})
      set_property(TEST ${test} APPEND PROPERTY LABELS slow)
    endif()
  endforeach()
endfunction()
