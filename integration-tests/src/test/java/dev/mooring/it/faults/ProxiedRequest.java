package dev.mooring.it.faults;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request to the API server.
 *
 * @param path without the query
 * @param query the parameters
 * @param head request line and headers
 * @param body empty for none
 */
public record ProxiedRequest(
    String method, String path, Map<String, String> query, HttpHead head, byte[] body) {
  private static final int NAMED_PARTS = 2;

  static ProxiedRequest of(HttpHead head, byte[] body) {
    String[] startLine = head.startLine().split(" ", 3);
    int queryStart = startLine[1].indexOf('?');
    Map<String, String> query = new LinkedHashMap<>();
    if (queryStart >= 0) {
      for (String pair : startLine[1].substring(queryStart + 1).split("&")) {
        String[] nameAndValue = pair.split("=", 2);
        query.put(
            nameAndValue[0],
            nameAndValue.length < 2
                ? ""
                : URLDecoder.decode(nameAndValue[1], StandardCharsets.UTF_8));
      }
    }
    String path = queryStart < 0 ? startLine[1] : startLine[1].substring(0, queryStart);
    return new ProxiedRequest(startLine[0], path, Map.copyOf(query), head, body);
  }

  /** Returns resource, name and subresource, as far as the path has them. */
  private List<String> pathParts() {
    List<String> segments = List.of(path.substring(1).split("/"));
    List<String> resourceParts =
        segments.subList(
            Math.min(segments.size(), segments.getFirst().equals("api") ? 2 : 3), segments.size());
    return resourceParts.size() > NAMED_PARTS && resourceParts.getFirst().equals("namespaces")
        ? resourceParts.subList(NAMED_PARTS, resourceParts.size())
        : resourceParts;
  }

  /** Returns the plural name of the resource. */
  public String resource() {
    return pathParts().isEmpty() ? "" : pathParts().getFirst();
  }

  /** Returns namespace and name of the object; "" for a collection. */
  public String object() {
    return pathParts().size() < NAMED_PARTS ? "" : path;
  }

  public boolean isWatch() {
    return query.getOrDefault("watch", "").equals("true");
  }

  /** Returns whether this watch first streams the existing objects. */
  public boolean isStreamingList() {
    return isWatch() && query.getOrDefault("sendInitialEvents", "").equals("true");
  }

  public boolean isList() {
    return method.equals("GET") && !isWatch() && object().isEmpty();
  }

  public boolean isRead() {
    return method.equals("GET") && !object().isEmpty();
  }

  public boolean isWrite() {
    return !method.equals("GET");
  }

  /** Returns one word for the kind of request, finer than the HTTP method. */
  public String verb() {
    return isStreamingList()
        ? "STREAM"
        : isWatch() ? "WATCH" : isList() ? "LIST" : isRead() ? "READ" : method;
  }

  /** Returns a copy that accepts another media type. */
  ProxiedRequest withMediaType(String type) {
    return new ProxiedRequest(method, path, query, head.with("accept", type), body);
  }

  @Override
  public String toString() {
    return verb() + " " + path;
  }
}
