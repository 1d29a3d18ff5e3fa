package dev.mooring.plugin.csi;

import io.grpc.Status;
import java.util.regex.Pattern;

final class RefusalMessage {
  // characters; as many as a condition of an API object may have
  private static final int MAX_LENGTH = 32 << 10;

  private static final String ELLIPSIS = "...";
  private static final Pattern OWN_DEADLINE =
      Pattern.compile(
          "^(CallOptions|Context|ClientCall) deadline exceeded|deadline exceeded after [0-9.]+n?s");

  private RefusalMessage() {}

  static String of(Status status) {
    if (isOwnDeadline(status)) {
      // gRPC's text contains nanoseconds: each failure would count as a new error
      return "context deadline exceeded";
    }
    String description = status.getDescription() == null ? "" : status.getDescription();
    Throwable rootCause = status.getCause();
    while (rootCause != null && rootCause.getCause() != null) {
      rootCause = rootCause.getCause();
    }
    return truncate(
        rootCause == null || rootCause.getMessage() == null
            ? description
            : description + ": " + rootCause.getMessage());
  }

  private static boolean isOwnDeadline(Status status) {
    return status.getCode() == Status.Code.DEADLINE_EXCEEDED
        && status.getDescription() != null
        && OWN_DEADLINE.matcher(status.getDescription()).find();
  }

  // The API server refuses a status that is too large: the error would stay unknown.
  private static String truncate(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    int end = MAX_LENGTH - ELLIPSIS.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
        + ELLIPSIS;
  }
}
