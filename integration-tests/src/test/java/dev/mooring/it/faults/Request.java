package dev.mooring.it.faults;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What somebody asks of the API server.
 *
 * @param method the HTTP method
 * @param path without the query
 * @param query the parameters
 * @param head all that came before the body
 * @param body empty for none
 */
public record Request(
    String method, String path, Map<String, String> query, Head head, byte[] body) {
  private static final int NAMED = 2;

  static Request of(Head head, byte[] body) {
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
    return new Request(start[0], path, Map.copyOf(query), head, body);
  }

  /** Resource, name and subresource, as far as there are. */
  private List<String> place() {
    List<String> parts = List.of(path.substring(1).split("/"));
    List<String> rest =
        parts.subList(Math.min(parts.size(), parts.getFirst().equals("api") ? 2 : 3), parts.size());
    return rest.size() > NAMED && rest.getFirst().equals("namespaces")
        ? rest.subList(NAMED, rest.size())
        : rest;
  }

  /** The plural of the kind. */
  public String resource() {
    return place().isEmpty() ? "" : place().getFirst();
  }

  /** Which object, with its namespace; "" for all of them. */
  public String object() {
    return place().size() < NAMED ? "" : path;
  }

  /** Whether it watches. */
  public boolean isWatch() {
    return query.getOrDefault("watch", "").equals("true");
  }

  /** Whether it watches, and is told first of all that is there. */
  public boolean isStreamingList() {
    return isWatch() && query.getOrDefault("sendInitialEvents", "").equals("true");
  }

  /** Whether it lists. */
  public boolean isList() {
    return method.equals("GET") && !isWatch() && object().isEmpty();
  }

  /** Whether it reads one object. */
  public boolean isRead() {
    return method.equals("GET") && !object().isEmpty();
  }

  /** Whether it is to change something. */
  public boolean isWrite() {
    return !method.equals("GET");
  }

  /** What it is, in one word for each way to ask. */
  public String verb() {
    return isStreamingList()
        ? "STREAM"
        : isWatch() ? "WATCH" : isList() ? "LIST" : isRead() ? "READ" : method;
  }

  /** The same, but for another answer's type. */
  Request accepting(String type) {
    return new Request(method, path, query, head.with("accept", type), body);
  }

  @Override
  public String toString() {
    return verb() + " " + path;
  }
}
