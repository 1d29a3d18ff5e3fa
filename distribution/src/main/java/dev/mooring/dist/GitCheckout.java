package dev.mooring.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sources of a build: a git checkout, or a directory without history. */
record GitCheckout(Path folder) {
  Optional<String> commit() throws InterruptedException {
    return git("rev-parse", "HEAD");
  }

  boolean isChanged() throws InterruptedException {
    return !git("status", "--porcelain", "-uno").orElse("").isEmpty();
  }

  /** Returns the commit for a label: with the suffix {@code -dirty} if files differ from it. */
  String revision() throws InterruptedException {
    Optional<String> commit = commit();
    return commit.isEmpty() ? "" : commit.get() + (isChanged() ? "-dirty" : "");
  }

  private Optional<String> git(String... args) throws InterruptedException {
    if (!Files.exists(folder.resolve(".git"))) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(args));
    try {
      Process git =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.waitFor() == 0 ? Optional.of(out) : Optional.empty();
    } catch (IOException noGit) {
      return Optional.empty();
    }
  }
}
