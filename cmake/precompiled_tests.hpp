#pragma once
// The headers that nearly every test includes besides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "precompiled.hpp"
