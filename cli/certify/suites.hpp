#pragma once

#include <boost/system/result.hpp>
#include <map>
#include <set>
#include <string>

#include "conformance/drivers/adapter/adapter_case.hpp"
#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/engine/asked.hpp"
#include "conformance/engine/suite.hpp"

/// All that Hallmark has to ask of a target: vectors of a directory and the cases that are written
/// out, for each kind of dialect. Where the directory is one vector file, its vectors are all. Each
/// error is one line: the vectors cannot be read, or are of another dialect.
namespace hallmark::cli {

/// By the answer that they need, how many scenarios say nothing of a target that gives another.
using LeftOut = std::map<std::string, std::size_t>;

/// The suite of a dialect of streams.
boost::system::result<conformance::Suite, std::string> whole_suite(
    const std::string& directory, const conformance::WireFormat& format,
    LeftOut* left_out = nullptr);

/// The cases of a dialect of datagrams; rates are judged as far as `known` goes.
boost::system::result<conformance::DatagramCases, std::string> all_datagram_cases(
    const std::string& directory, const conformance::WireFormat& format,
    const conformance::KnownRules& known);

/// The cases of a dialect at rest.
boost::system::result<conformance::AdapterCases, std::string> all_adapter_cases(
    const std::string& directory, const conformance::WireFormat& format,
    LeftOut* left_out = nullptr);

/// The vectors of the dialect below a directory, or those of one file.
boost::system::result<std::vector<vectors::VectorFile>, std::string> vector_files_of(
    const std::string& directory, const conformance::WireFormat& format);
boost::system::result<std::vector<vectors::StateVectorFile>, std::string> state_vector_files_of(
    const std::string& directory);

/// The ids of all cases that a target of that dialect may be asked, whichever answers it gives that
/// are not pinned, and of those that every run has.
boost::system::result<std::set<std::string>, std::string> all_case_ids(
    const std::string& directory, const protocol::Dialect& dialect, protocol::Width width,
    const std::vector<conformance::Pin>& pins, const conformance::KnownRules& known);

}  // namespace hallmark::cli
