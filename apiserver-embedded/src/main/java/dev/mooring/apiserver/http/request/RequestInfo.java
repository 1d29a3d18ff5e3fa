package dev.mooring.apiserver.http.request;

import dev.mooring.apiserver.access.Attributes;
import java.util.Arrays;
import java.util.List;

/**
 * The attributes of a request, derived from method, path and query.
 *
 * @param version the API version of the group
 * @param namespace the namespace in the path; "" if none
 * @param name the name in the path; "" if none
 * @param extra the number of path segments after the subresource
 * @param isOldWatch true for a deprecated /watch/ path
 */
public record RequestInfo(
    Attributes attributes,
    String version,
    String namespace,
    String name,
    int extra,
    boolean isOldWatch) {
  private static final List<String> OF_NAMESPACES = List.of("status", "finalize");

  public boolean isResource() {
    return attributes.isResource();
  }

  /** Parses the request. Does not read the body. */
  public static RequestInfo of(RequestExchange exchange) {
    String path = exchange.path();
    String[] parts = path.length() < 2 ? new String[0] : path.substring(1).split("/", -1);
    if (parts.length > 0 && parts[parts.length - 1].isEmpty()) {
      parts = Arrays.copyOf(parts, parts.length - 1);
    }
    int at = parts.length >= 3 && parts[0].equals("api") ? 2 : 3;
    boolean resource =
        at == 2 || parts.length >= 4 && parts[0].equals("apis") && !parts[1].isEmpty();
    if (!resource) {
      return new RequestInfo(
          Attributes.ofPath(exchange.method().toLowerCase(), path), "", "", "", 0, false);
    }
    return resource(exchange, parts, at);
  }

  private static RequestInfo resource(RequestExchange exchange, String[] parts, int from) {
    String group = from == 2 ? "" : parts[1];
    String version = parts[from - 1];
    int at = from;
    boolean oldWatch = parts[at].equals("watch") && parts.length > at + 1;
    if (oldWatch) {
      at++;
    }
    String namespace = "";
    boolean inNamespace =
        parts[at].equals("namespaces")
            && parts.length > at + 2
            && !OF_NAMESPACES.contains(parts[at + 2]);
    if (inNamespace) {
      namespace = QueryParameters.decode(parts[at + 1]);
      at += 2;
    }
    String resource = parts[at];
    String name = parts.length > at + 1 ? QueryParameters.decode(parts[at + 1]) : "";
    String subresource = parts.length > at + 2 ? parts[at + 2] : "";
    String verb = oldWatch ? "watch" : verb(exchange, name.isEmpty());
    String about = name;
    if (name.isEmpty() && List.of("list", "watch").contains(verb)) {
      about = exchange.query().exactName();
    }
    String requested = resource.equals("namespaces") && !inNamespace ? name : namespace;
    return new RequestInfo(
        Attributes.of(verb, group, resource)
            .ofSubresource(subresource)
            .inNamespace(requested)
            .withName(about),
        version,
        namespace,
        name,
        Math.max(0, parts.length - at - 3),
        oldWatch);
  }

  private static String verb(RequestExchange exchange, boolean isCollection) {
    QueryParameters query = exchange.query();
    return switch (exchange.method()) {
      case "GET", "HEAD" -> !isCollection ? "get" : query.flag("watch") ? "watch" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> isCollection ? "deletecollection" : "delete";
      default -> "";
    };
  }
}
