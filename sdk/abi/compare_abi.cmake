# Compares the ABI that driver.h describes now with the committed baseline.
# cmake -DCOMPILER=<gcc> -DABIDIFF=<..> -DABIDW=<..> -DINCLUDE=<dir> -DSOURCE=<reference_*.c> -DBASELINE=<abixml>
#       -DWORK=<dir> [-DUPDATE=1] -P compare_abi.cmake
foreach(tool COMPILER ABIDIFF ABIDW)
  if(NOT EXISTS "${${tool}}")
    message("SKIPPED: ${tool} is not installed (Debian: gcc, abigail-tools)")
    return()
  endif()
endforeach()
cmake_path(GET SOURCE STEM reference)
set(driver ${WORK}/${reference}.so)
# Compiled by its bare name: the baseline must not say where it was made.
cmake_path(GET SOURCE PARENT_PATH source_directory)
cmake_path(GET SOURCE FILENAME source_name)
# Types that the driver only points to belong to the ABI too.
execute_process(COMMAND ${COMPILER} -std=c11 -g -O0 -fno-eliminate-unused-debug-types -fPIC -shared -fvisibility=hidden
                        -I ${INCLUDE} ${source_name} -o ${driver}
                WORKING_DIRECTORY ${source_directory}
                COMMAND_ERROR_IS_FATAL ANY)
set(current ${WORK}/${reference}.abixml)
execute_process(COMMAND ${ABIDW} --no-corpus-path --no-comp-dir-path --no-show-locs --no-architecture
                        --out-file ${current} ${driver}
                COMMAND_ERROR_IS_FATAL ANY)
if(UPDATE)
  file(COPY_FILE ${current} ${BASELINE})
  return()
endif()
if(NOT EXISTS ${BASELINE})
  message(FATAL_ERROR "expected the baseline ${BASELINE} of this ABI version, found no such file; "
                      "make it with sdk/abi/release.py and say in HISTORY what changed")
endif()
execute_process(COMMAND ${ABIDIFF} --harmless ${BASELINE} ${current} RESULT_VARIABLE changed)
if(changed)
  message(FATAL_ERROR "expected driver.h to describe the ABI of ${BASELINE}, found the changes above; "
                      "take them back, or give the ABI a new version, a new baseline and an entry in HISTORY")
endif()
