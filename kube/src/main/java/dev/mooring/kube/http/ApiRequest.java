package dev.mooring.kube.http;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A request to an API server.
 *
 * @param target path and query, encoded
 * @param headers all headers except Host, Authorization and those of the body
 * @param contentType type of the body; "" if there is none
 */
public record ApiRequest(
    String method,
    String target,
    Map<String, List<String>> headers,
    String contentType,
    byte[] body) {
  private static final int TYPICAL_HEAD = 512;

  // Encodes the request for an HTTP/1.1 connection.
  byte[] encode(String host, String authorization) throws IOException {
    StringBuilder head = new StringBuilder(TYPICAL_HEAD);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    addHeader(head, "Host", host);
    if (!authorization.isEmpty()) {
      addHeader(head, "Authorization", authorization);
    }
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      for (String value : header.getValue()) {
        addHeader(head, header.getKey(), value);
      }
    }
    addHeader(head, "Accept-Encoding", "gzip");
    if (!contentType.isEmpty()) {
      addHeader(head, "Content-Type", contentType);
      addHeader(head, "Content-Length", Integer.toString(body.length));
    }
    byte[] headBytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    byte[] bytes = Arrays.copyOf(headBytes, headBytes.length + body.length);
    System.arraycopy(body, 0, bytes, headBytes.length, body.length);
    return bytes;
  }

  private static void addHeader(StringBuilder head, String name, String value) throws IOException {
    head.append(name).append(": ");
    for (int i = 0; i < value.length(); i++) {
      char character = value.charAt(i);
      if (character < ' ' || character > '~') {
        throw new ProtocolException(
            "the header %s has a character that HTTP does not allow, at position %d: nothing was sent"
                .formatted(name, i));
      }
      head.append(character);
    }
    head.append("\r\n");
  }
}
