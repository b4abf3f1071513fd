# Runs after cpack has made its packages, and packs each once more: cpack writes times of its own into them, in the order
# in which the file system lists them. CPACK_PACKAGE_FILES are the packages.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  message(STATUS "SOURCE_DATE_EPOCH is not set: the packages will not be the same next time")
  string(TIMESTAMP now "%s" UTC)
  set(ENV{SOURCE_DATE_EPOCH} ${now})
endif()

# Programs write with the rights that they mean, and nothing else.
function(step)
  execute_process(COMMAND sh -c "umask 022 && exec \"$@\"" sh ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(scratch ${package}.scratch)
  file(REMOVE_RECURSE ${scratch})
  if(package MATCHES "\\.deb$")
    step(dpkg-deb -R ${package} ${scratch})
    step(dpkg-deb --root-owner-group --threads-max=1 -Zxz -b ${scratch} ${package})
  else()
    file(MAKE_DIRECTORY ${scratch})
    step(tar --zstd -xf ${package} -C ${scratch})
    file(GLOB top RELATIVE ${scratch} ${scratch}/*)
    step(tar -C ${scratch} --sort=name --mtime=@$ENV{SOURCE_DATE_EPOCH} --owner=0 --group=0 --numeric-owner --format=gnu
      --use-compress-program "zstd -19 -T1" -cf ${package} ${top})
  endif()
  file(REMOVE_RECURSE ${scratch})
endforeach()
