# Installs Hallmark (or takes its source tree), builds the consumer against it and runs it.
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE ignored)
endfunction()

file(REMOVE_RECURSE ${SCRATCH}/prefix)
set(vectors ${SOURCE}/vectors)
set(options -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
if(WAY STREQUAL "find_package")
  step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
  list(APPEND options -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
  set(vectors ${SCRATCH}/prefix/share/hallmark/vectors)
else()
  list(APPEND options -DHALLMARK_SOURCE=${SOURCE})
endif()
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${SCRATCH}/build ${options})
step(${CMAKE_COMMAND} --build ${SCRATCH}/build --target consumer)
step(${SCRATCH}/build/consumer ${vectors})
