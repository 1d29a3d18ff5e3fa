package dev.mooring.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FileProblemTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new NoSuchFileException("/data/x"), "/data/x: no such file"),
        Arguments.of(new AccessDeniedException("/data/x"), "/data/x: permission denied"),
        Arguments.of(new NotDirectoryException("/data/x"), "/data/x: not a directory"),
        Arguments.of(
            new FileSystemException("/data/x", null, "Read-only file system"),
            "/data/x: Read-only file system"),
        Arguments.of(new MalformedInputException(1), "not UTF-8 text"),
        Arguments.of(new IOException("cannot list pods: 403"), "cannot list pods: 403"),
        Arguments.of(new ClosedChannelException(), "ClosedChannelException"));
  }

  @Test
  void findReason_exceptionThatNamesFile_omitsFile() {
    assertThat(FileProblem.findReason(new FileAlreadyExistsException("/data/x")))
        .isEqualTo("a file has this name");
    assertThat(FileProblem.findReason(new FileSystemException("/data/x", null, "Is a directory")))
        .isEqualTo("Is a directory");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void describe_failure_namesReason(IOException failure, String line) {
    assertThat(FileProblem.describe(failure)).isEqualTo(line);
  }
}
