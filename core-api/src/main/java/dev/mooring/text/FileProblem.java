package dev.mooring.text;

import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

public final class FileProblem {
  private FileProblem() {}

  // Returns a message with the reason. That of a missing or secret file is only its name.
  public static String describe(Exception failure) {
    String message = failure.getMessage();
    return failure instanceof FileSystemException problem && message != null
        ? problem.getReason() == null ? message + ": " + findReason(problem) : firstLine(message)
        : findReason(failure);
  }

  // Returns the reason without the name of the file, which the caller's message contains.
  public static String findReason(Exception failure) {
    String message = failure.getMessage();
    return switch (failure) {
      case CharacterCodingException _ -> "not UTF-8 text";
      case NoSuchFileException _ -> "no such file";
      case AccessDeniedException _ -> "permission denied";
      case NotDirectoryException _ -> "not a directory";
      case FileAlreadyExistsException _ -> "a file has this name";
      case FileSystemException problem when problem.getReason() != null -> problem.getReason();
      case FileSystemException _ -> failure.getClass().getSimpleName();
      default -> message == null ? failure.getClass().getSimpleName() : firstLine(message);
    };
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
