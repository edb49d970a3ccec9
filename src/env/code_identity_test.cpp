#include "env/code_identity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::env {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class IdentifyCode : public ::testing::Test {
 protected:
  IdentifyCode() {
    git_.repository = true;
    git_.commit = "head";
    git_.branch = "topic";
    git_.default_branch = "main";
  }

  CodeIdentity identify() { return identify_code(flags_, origin_, ci_, git_, digest_, "run-1"); }

  void in_ci() {
    ci_ = CiRun{};
    ci_->branch = "pr-head";
    ci_->commit = "merge";
    ci_->default_branch = "trunk";
  }

  CodeFlags flags_;
  Origin origin_ = Origin::launched_here;
  std::optional<CiRun> ci_;
  GitState git_;
  Result<std::optional<std::string>> digest_ = std::optional<std::string>();
};

TEST_F(IdentifyCode, CleanTreeIsItsCommit) {
  const auto out = identify();
  EXPECT_EQ(out.commit, "head");
  EXPECT_EQ(out.code, "head");
  EXPECT_EQ(out.branch, "topic");
  EXPECT_EQ(out.default_branch, "main");
}

TEST_F(IdentifyCode, ModifiedTreeIsCodeOfItsOwn) {
  digest_ = std::optional<std::string>("5f1e0c3a");
  EXPECT_EQ(identify().code, "head+5f1e0c3a");
  EXPECT_EQ(identify().commit, "head");
}

TEST_F(IdentifyCode, UnknownTreeIsNeverTakenForClean) {
  digest_ = Error{ErrorKind::io, "git status ended with 128"};
  EXPECT_EQ(identify().code, "head+run-1");
  EXPECT_THAT(identify().notes, ElementsAre(HasSubstr("code of its own")));
}

TEST_F(IdentifyCode, NoCommitIsNoCode) {
  git_ = {};
  digest_ = std::optional<std::string>("5f1e0c3a");
  EXPECT_EQ(identify().commit, "");
  EXPECT_EQ(identify().code, "");
}

TEST_F(IdentifyCode, WhatLiesHereIsWhatRanButTheBranchIsCis) {
  in_ci();
  EXPECT_EQ(identify().commit, "head");
  EXPECT_EQ(identify().branch, "pr-head");
  EXPECT_EQ(identify().default_branch, "trunk");
  git_ = {};
  EXPECT_EQ(identify().commit, "merge");
}

TEST_F(IdentifyCode, FlagsBeatEverything) {
  in_ci();
  flags_ = {"c", "b", "d", "e"};
  const auto out = identify();
  EXPECT_EQ(out.commit + out.branch + out.default_branch, "cbd");
  flags_.default_branch.clear();
  EXPECT_EQ(identify().default_branch, "e");
}

TEST_F(IdentifyCode, ReportFromElsewhereHasNothingOfThisTree) {
  digest_ = std::optional<std::string>("5f1e0c3a");
  flags_.commit = "other";
  EXPECT_EQ(identify().code, "other+5f1e0c3a") << "launched here: the changes are real";
  origin_ = Origin::read_here;
  EXPECT_EQ(identify().code, "other");
}

}  // namespace
}  // namespace flakestat::env
