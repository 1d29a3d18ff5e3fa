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
  private static final int NAMED = 2;

  static ProxiedRequest of(HttpHead head, byte[] body) {
    String[] start = head.start().split(" ", 3);
    int mark = start[1].indexOf('?');
    Map<String, String> query = new LinkedHashMap<>();
    if (mark >= 0) {
      for (String pair : start[1].substring(mark + 1).split("&")) {
        String[] parts = pair.split("=", 2);
        query.put(
            parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
      }
    }
    String path = mark < 0 ? start[1] : start[1].substring(0, mark);
    return new ProxiedRequest(start[0], path, Map.copyOf(query), head, body);
  }

  /** Returns resource, name and subresource, as far as the path has them. */
  private List<String> pathParts() {
    List<String> all = List.of(path.substring(1).split("/"));
    List<String> parts =
        all.subList(Math.min(all.size(), all.getFirst().equals("api") ? 2 : 3), all.size());
    return parts.size() > NAMED && parts.getFirst().equals("namespaces")
        ? parts.subList(NAMED, parts.size())
        : parts;
  }

  /** Returns the plural name of the resource. */
  public String resource() {
    return pathParts().isEmpty() ? "" : pathParts().getFirst();
  }

  /** Returns namespace and name of the object; "" for a collection. */
  public String object() {
    return pathParts().size() < NAMED ? "" : path;
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
  ProxiedRequest accepting(String type) {
    return new ProxiedRequest(method, path, query, head.with("accept", type), body);
  }

  @Override
  public String toString() {
    return verb() + " " + path;
  }
}
