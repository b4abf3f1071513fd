// Boost.URL, compiled here from the headers of libboost1.81-dev: no other package is needed.
#include <boost/url/src.hpp>
