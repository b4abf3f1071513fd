# Writes OUT/changelog.gz as Debian has it: cmake -DOUT= -DVERSION= -DMAINTAINER= -DGZIP= -P changelog.cmake
# Its date is SOURCE_DATE_EPOCH, or now.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${OUT}/changelog "hallmark (${VERSION}) stable; urgency=medium

  * Release ${VERSION}: CHANGELOG.md of the sources says what is new.

 -- ${MAINTAINER}  ${date}
")
execute_process(COMMAND ${GZIP} -9nf ${OUT}/changelog COMMAND_ERROR_IS_FATAL ANY)
