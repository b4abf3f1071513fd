#pragma once

#include <vector>

#include "reports/result.hpp"

/// Cases that a run adds for what it saw once and cannot lay to the charge of any of its cases.
/// Each is *unstable* and has the same id and the same code in every run, whichever cases met it.
namespace hallmark::conformance {

/// A failure that did not come again when its case was played alone on a fresh process.
struct Wavering {
  std::string id;    ///< the case's id
  std::string code;  ///< the failure's code; may be empty
};

/// Adds `…/sanity/steady`, which names the first few of them. Nothing is added if there are none.
/// The cases pass; that they were played again (`repeated`) tells them from others.
void tell_wavering(reports::CertifyResult& result, const std::vector<Wavering>& wavering);

/// The cases that `one` speaks of if it is `…/sanity/steady` of this result; otherwise none.
std::vector<std::string> wavering_of(const reports::CertifyResult& result,
                                     const reports::CaseResult& one);

/// Adds `…/sanity/lives` if the target died or hung, and no case makes it do so alone.
void tell_stray_deaths(reports::CertifyResult& result);

}  // namespace hallmark::conformance
