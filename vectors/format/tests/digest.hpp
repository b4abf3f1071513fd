#pragma once

#include <map>
#include <string>
#include <vector>

#include "vectors/format/vector.hpp"

/// Tells whether two vectors say the same, whatever format their files have.
namespace hallmark::vectors::test {

/// Everything that a vector says to a runner, as text: its id, clauses, answers, keys, steps,
/// bytes, matches and places; not what it says to people, its title. Nothing that writes vector
/// files is used for it.
std::string canonical_text(const VectorFile& file, const Vector& vector);

/// CRC-64 (ECMA-182, reflected) of that text, as 16 hexadecimal digits.
std::string digest_of(const VectorFile& file, const Vector& vector);

/// Keyed by id.
using Digests = std::map<std::string, std::string>;

Digests digests_of(const std::vector<VectorFile>& files);

/// The digests as lines: an id without its width, and for each width its name and the digest. Two
/// vectors that differ in their width alone have one line.
std::string in_lines(const Digests& digests);

/// Reads what `in_lines` writes; lines that begin with # are comments. Throws std::runtime_error
/// where it is something else.
Digests read_lines(const std::string& text);

}  // namespace hallmark::vectors::test
