# What extensions with games are made of. The repository's own build includes this file; a project elsewhere finds it:
#
#   execute_process(COMMAND ${Python_EXECUTABLE} -m tempo.headers OUTPUT_VARIABLE tempo_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
#   find_package(tempo CONFIG REQUIRED)
#   tempo_add_game(_rules bind.cpp)

option(TEMPO_NATIVE "Use every instruction of the machine that compiles (off for wheels)" ON)
option(TEMPO_UNITY "Compile what binding files share once (off for tools that look at each file)" ON)

set(tempo_core ${CMAKE_CURRENT_LIST_DIR})
set(tempo_together ${CMAKE_BINARY_DIR}/together)

find_package(Threads REQUIRED)
# From Python 3.12 on one extension serves all later versions (nanobind's STABLE_ABI, abi3).
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
# A game elsewhere is built as the installed tempo is, or they could not hand each other objects.
file(GLOB tempo_stable ${CMAKE_CURRENT_LIST_DIR}/../../_core.abi3.*)
if(tempo_stable)
  set(tempo_stable ON)
endif()
option(TEMPO_STABLE_ABI "Build for the stable ABI where Python has one (for wheels)" ${tempo_stable})
if(TEMPO_STABLE_ABI)
  set(tempo_abi STABLE_ABI)
endif()
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

# Flags of everything that includes the core. Without contraction of a*b+c, one seed gives one game on
# machines with and without fused multiply-add.
add_library(tempo_flags INTERFACE)
target_compile_features(tempo_flags INTERFACE cxx_std_20)
target_link_libraries(tempo_flags INTERFACE Threads::Threads)
target_compile_options(tempo_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -ffp-contract=off
  # g++ 12 sees overlapping copies in std::string that are not there (GCC bug 105329)
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # g++ collects no garbage of its own below this many kB: 180 MB more memory for some time saved
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
if(TEMPO_NATIVE)
  target_compile_options(tempo_flags INTERFACE -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Every x86 since 2009 counts bits in one instruction; without it Gomoku evaluates 5 times slower.
  target_compile_options(tempo_flags INTERFACE -march=x86-64-v2)
endif()

# Headers are included as <tempo/game.h>; those of a checkout lie in a folder of another name.
get_filename_component(tempo_include ${tempo_core} DIRECTORY)
if(NOT tempo_core MATCHES "/tempo$")
  set(tempo_include ${CMAKE_BINARY_DIR}/include)
  file(MAKE_DIRECTORY ${tempo_include})
  file(CREATE_LINK ${tempo_core} ${tempo_include}/tempo SYMBOLIC)
endif()

# What does not depend on the game, compiled once for all of them.
file(GLOB tempo_shared_files CONFIGURE_DEPENDS ${tempo_core}/*.cpp ${tempo_core}/parallel/*.cpp
  ${tempo_core}/search/*.cpp ${tempo_core}/nets/*.cpp ${tempo_core}/learning/*.cpp)
add_library(tempo_shared OBJECT ${tempo_shared_files})
set_target_properties(tempo_shared PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
  UNITY_BUILD ${TEMPO_UNITY} UNITY_BUILD_BATCH_SIZE 0)
target_link_libraries(tempo_shared PUBLIC tempo_flags)

# tempo._core and a game's extension hand each other objects: both say which headers they were compiled with.
file(GLOB_RECURSE tempo_headers RELATIVE ${tempo_core} CONFIGURE_DEPENDS ${tempo_core}/*.h)
list(FILTER tempo_headers EXCLUDE REGEX "^games/")
list(SORT tempo_headers)
set(tempo_digest "")
foreach(header ${tempo_headers})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tempo_core}/${header})
  file(SHA256 ${tempo_core}/${header} digest)
  string(SHA256 tempo_digest "${tempo_digest}${header}${digest}")
endforeach()
file(CONFIGURE OUTPUT ${tempo_together}/headers.cpp @ONLY CONTENT
  "namespace tempo::bind {\nextern const char* const headers;\nconst char* const headers = \"@tempo_digest@\";\n}\n")

# Threads in the core outlive the interpreter's end (bind/stopping.cpp).
set(tempo_wrapped -Wl,--wrap=PyEval_SaveThread -Wl,--wrap=PyEval_RestoreThread -Wl,--wrap=PyGILState_Ensure)

# What such an extension compiles of the border.
set(tempo_outside_files arrays.cpp batch.cpp callback.cpp evaluator.cpp experience.cpp game.cpp network_games.cpp outside.cpp position.cpp
  trees.cpp)
list(TRANSFORM tempo_outside_files PREPEND ${tempo_core}/bind/)

# nanobind's own files are compiled in one go.
function(tempo_unite_nanobind)
  foreach(library nanobind-static nanobind-static-abi3)
    if(TARGET ${library})
      set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    endif()
  endforeach()
endfunction()

# An extension of its own with a game that TEMPO_GAME binds (bind/outside.h).
function(tempo_add_game name)
  set(border ${tempo_outside_files})
  if(TEMPO_UNITY)
    string(REGEX REPLACE "([^;]+);?" "#include \"\\1\"\n" includes "${border}")
    set(border ${tempo_together}/outside.cpp)
    file(CONFIGURE OUTPUT ${border} CONTENT "${includes}" @ONLY)
  endif()
  nanobind_add_module(${name} ${tempo_abi} NB_STATIC NOMINSIZE ${ARGN} ${border} ${tempo_together}/headers.cpp)
  tempo_unite_nanobind()
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${name} PRIVATE ${tempo_include})
  target_link_libraries(${name} PRIVATE tempo_shared)
  target_link_options(${name} PRIVATE ${tempo_wrapped})
endfunction()
