# Compiles for Windows on Linux, and runs what it compiled with Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
# Wine does not know where the compiler keeps its libraries.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
find_program(PLAINWRIGHT_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(PLAINWRIGHT_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${PLAINWRIGHT_WINE}")
endif()
