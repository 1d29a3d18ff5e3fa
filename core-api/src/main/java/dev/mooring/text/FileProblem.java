package dev.mooring.text;

import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

public final class FileProblem {
  private FileProblem() {}

  // Returns a message with the reason. That of a missing or secret file is only its name.
  public static String describe(Exception failure) {
    String message = failure.getMessage();
    if (failure instanceof CharacterCodingException) {
      return "not UTF-8 text";
    }
    if (message == null) {
      return failure.getClass().getSimpleName();
    }
    if (!(failure instanceof FileSystemException problem) || problem.getReason() != null) {
      return message.lines().findFirst().orElse("");
    }
    return message
        + ": "
        + switch (problem) {
          case NoSuchFileException _ -> "no such file";
          case AccessDeniedException _ -> "permission denied";
          default -> problem.getClass().getSimpleName();
        };
  }
}
