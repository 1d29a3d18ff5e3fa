package dev.mooring.kube;

import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.kube.wire.BodyDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import okhttp3.HttpUrl;

final class ApiResponses {
  private static final int MAX_ERROR_BYTES = 1 << 20;

  private ApiResponses() {}

  static boolean isProtobuf(ApiResponse response) {
    return response.header("content-type").startsWith(BodyDecoder.PROTOBUF);
  }

  /**
   * Returns whether the server as a whole is overloaded. With priority and fairness every response
   * names its flow and priority level, including those of webhooks and quotas. The filter itself
   * refuses in plain text; everything behind it refuses with a Status.
   */
  static boolean isServerOverloaded(ApiResponse response) {
    return response.code() == 429
        && !response.header("x-kubernetes-pf-prioritylevel-uid").isEmpty()
        && response.header("content-type").startsWith("text/plain");
  }

  /**
   * Reads the Status from the body of a refusal; converts other bodies (a proxy's page, plain text)
   * to a Status. The Retry-After header applies if the body contains no delay.
   */
  static BodyDecoder.Status readStatus(ApiResponse response, InputStream body, boolean isProtobuf)
      throws IOException {
    byte[] bytes = body.readNBytes(MAX_ERROR_BYTES);
    int headerDelay = parseRetryAfter(response);
    String redirectMessage = describeRedirect(response);
    if (!redirectMessage.isEmpty()) {
      return new BodyDecoder.Status(response.code(), "", redirectMessage, headerDelay, "");
    }
    try {
      BodyDecoder.Status status =
          BodyDecoder.decodeStatus(new ByteArrayInputStream(bytes), isProtobuf);
      return new BodyDecoder.Status(
          response.code(),
          status.reason(),
          status.message(),
          Math.max(headerDelay, status.retryAfterSeconds()),
          status.field());
    } catch (IOException | IllegalStateException notAStatus) {
      String text =
          new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.UTF_8).strip();
      return new BodyDecoder.Status(response.code(), "", text, headerDelay, "");
    }
  }

  /**
   * Returns the target of a redirect and the remedy; "" if the response is no redirect. Redirects
   * are not followed. Omits the query, which may contain a token.
   */
  static String describeRedirect(ApiResponse response) {
    if (!response.isRedirect()) {
      return "";
    }
    HttpUrl target = HttpUrl.get(response.url()).resolve(response.header("location"));
    return "a redirect%s, which is not followed; point the kubeconfig at the API server itself, not at a proxy or a login page in front of it"
        .formatted(
            target == null ? "" : " to " + target.newBuilder().query(null).fragment(null).build());
  }

  // Returns seconds; 0 for none and for a date, which no API server sends.
  private static int parseRetryAfter(ApiResponse response) {
    String header = response.header("retry-after");
    return header.matches("\\d{1,9}") ? Integer.parseInt(header) : 0;
  }

  /**
   * Returns whether the API server itself, and not a proxy, reports that the object does not exist.
   */
  static boolean isAbsent(BodyDecoder.Status status) {
    return status.code() == 404 && status.reason().equals("NotFound");
  }

  static boolean isForbidden(BodyDecoder.Status status) {
    return status.code() == 403 && status.reason().equals("Forbidden");
  }

  static <T> WriteResult<T> toWriteResult(BodyDecoder.Status status) {
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
              // the object was deleted, and another one has its name
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
