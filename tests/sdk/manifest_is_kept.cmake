# Links a driver with -Wl,--gc-sections, as some distributions build everything, and looks for its manifest.
set(driver ${work}/kept_by_${name}.so)
execute_process(
  COMMAND ${compiler} ${standard} -O2 -Wall -Wextra -Wpedantic -Werror -fPIC -shared -fvisibility=hidden -ffunction-sections
          -fdata-sections -Wl,--gc-sections -I ${include} -x ${language} ${source} -o ${driver}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND readelf -p .gantry.manifest ${driver} OUTPUT_VARIABLE manifest ERROR_VARIABLE manifest)
if(NOT manifest MATCHES "manifest = 1")
  message(FATAL_ERROR "${driver}: expected a section .gantry.manifest, found\n${manifest}")
endif()
