package dev.mooring.kube;

import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.wire.Bodies;
import dev.mooring.model.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import okhttp3.HttpUrl;
import okhttp3.Response;

/** What answers have in common. */
final class Answers {
  private static final int LONGEST_ERROR = 1 << 20;

  private Answers() {}

  static boolean isProtobuf(Response answer) {
    String type = answer.header("Content-Type", "");
    return type != null && type.startsWith(Bodies.PROTOBUF);
  }

  /**
   * Whether it is the server as a whole that has too much to do. With priority and fairness every
   * answer names its flow and priority level, also those of webhooks and quotas; but what the
   * filter itself refuses is plain text, and what anybody behind it refuses is a Status.
   */
  static boolean isOfTheWholeServer(Response answer) {
    String type = answer.header("Content-Type", "");
    return answer.code() == 429
        && answer.header("X-Kubernetes-PF-PriorityLevel-UID") != null
        && type != null
        && type.startsWith("text/plain");
  }

  /**
   * The Status in the body of a refusal; what is no Status (a proxy's page, plain text) becomes
   * one. The header Retry-After counts where the body asks for no patience.
   */
  static Bodies.Status status(Response answer, InputStream body, boolean protobuf)
      throws IOException {
    byte[] bytes = body.readNBytes(LONGEST_ERROR);
    int asked = retryAfter(answer);
    String redirect = redirect(answer);
    if (!redirect.isEmpty()) {
      return new Bodies.Status(answer.code(), "", redirect, asked, "");
    }
    try {
      Bodies.Status status = Bodies.status(new ByteArrayInputStream(bytes), protobuf);
      return new Bodies.Status(
          answer.code(),
          status.reason(),
          status.message(),
          Math.max(asked, status.retryAfterSeconds()),
          status.field());
    } catch (IOException | IllegalStateException notAStatus) {
      String text =
          new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.UTF_8).strip();
      return new Bodies.Status(answer.code(), "", text, asked, "");
    }
  }

  /**
   * The target of a redirect and the remedy, "" for an answer that is none. Redirects are not
   * followed. The query is left out: it may hold a token.
   */
  static String redirect(Response answer) {
    if (!answer.isRedirect()) {
      return "";
    }
    String location = answer.header("Location", "");
    HttpUrl target = location == null ? null : answer.request().url().resolve(location);
    return "a redirect"
        + (target == null ? "" : " to " + target.newBuilder().query(null).fragment(null).build())
        + ", which is not followed; point the kubeconfig at the API server itself, not at a proxy"
        + " or a login page in front of it";
  }

  /** In seconds; 0 for none, and for a date, which no API server sends. */
  private static int retryAfter(Response answer) {
    String header = answer.header("Retry-After", "");
    return header != null && header.matches("\\d{1,9}") ? Integer.parseInt(header) : 0;
  }

  /** Whether the API server says that there is no such object; not so a page of somebody else's. */
  static boolean isAbsent(Bodies.Status status) {
    return status.code() == 404 && status.reason().equals("NotFound");
  }

  /** Whether the API server says that we may not; not so a page of somebody else's. */
  static boolean isForbidden(Bodies.Status status) {
    return status.code() == 403 && status.reason().equals("Forbidden");
  }

  /** What a refusal of a write means. */
  static <T extends Resource> WriteResult<T> refusal(Bodies.Status status) {
    if (isAbsent(status)) {
      return new WriteResult.Gone<>();
    }
    return switch (status.code()) {
      case 401, 404, 429 ->
          new WriteResult.Unreachable<>(
              "the server answered " + status.code() + ": " + status.message());
      case 409 -> new WriteResult.Conflict<>(status.message());
      case 422 ->
          status.field().equals("metadata.uid")
              // a patch for an object that has been replaced by another of its name
              ? new WriteResult.Conflict<>(status.message())
              : new WriteResult.Rejected<>(422, status.message());
      default ->
          status.code() >= 500 || status.code() / 100 == 3
              ? new WriteResult.Unreachable<>(
                  "the server answered " + status.code() + ": " + status.message())
              : new WriteResult.Rejected<>(status.code(), status.message());
    };
  }
}
