# What makes packages the same in every directory: no path of this machine is in an object. ccache gives the compiler
# paths relative to the tree, and then nothing has to be mapped; objects are those of release builds.
if(NOT HALLMARK_CCACHE OR "$ENV{CCACHE_DISABLE}")
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
  add_compile_definitions(BOOST_DISABLE_CURRENT_LOCATION)
endif()
add_link_options(-Wl,-z,relro,-z,now)
# D: no times, owners or rights of objects in the libraries.
set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
