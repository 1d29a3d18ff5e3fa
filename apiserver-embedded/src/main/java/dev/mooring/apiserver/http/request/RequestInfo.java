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
 * @param extraSegments the number of path segments after the subresource
 * @param isOldWatch true for a deprecated /watch/ path
 */
public record RequestInfo(
    Attributes attributes,
    String version,
    String namespace,
    String name,
    int extraSegments,
    boolean isOldWatch) {
  private static final List<String> NAMESPACE_SUBRESOURCES = List.of("status", "finalize");

  public boolean isResource() {
    return attributes.isResource();
  }

  /** Parses the request. Does not read the body. */
  public static RequestInfo parse(RequestExchange exchange) {
    String path = exchange.path();
    String[] segments = path.length() < 2 ? new String[0] : path.substring(1).split("/", -1);
    if (segments.length > 0 && segments[segments.length - 1].isEmpty()) {
      segments = Arrays.copyOf(segments, segments.length - 1);
    }
    int resourceIndex = segments.length >= 3 && segments[0].equals("api") ? 2 : 3;
    boolean isResourcePath =
        resourceIndex == 2
            || segments.length >= 4 && segments[0].equals("apis") && !segments[1].isEmpty();
    if (!isResourcePath) {
      return new RequestInfo(
          Attributes.ofPath(exchange.method().toLowerCase(), path), "", "", "", 0, false);
    }
    return parseResource(exchange, segments, resourceIndex);
  }

  private static RequestInfo parseResource(
      RequestExchange exchange, String[] segments, int firstIndex) {
    String group = firstIndex == 2 ? "" : segments[1];
    String version = segments[firstIndex - 1];
    int index = firstIndex;
    boolean isOldWatch = segments[index].equals("watch") && segments.length > index + 1;
    if (isOldWatch) {
      index++;
    }
    String namespace = "";
    boolean isInNamespace =
        segments[index].equals("namespaces")
            && segments.length > index + 2
            && !NAMESPACE_SUBRESOURCES.contains(segments[index + 2]);
    if (isInNamespace) {
      namespace = QueryParameters.decode(segments[index + 1]);
      index += 2;
    }
    String resource = segments[index];
    String name = segments.length > index + 1 ? QueryParameters.decode(segments[index + 1]) : "";
    String subresource = segments.length > index + 2 ? segments[index + 2] : "";
    String verb = isOldWatch ? "watch" : getVerb(exchange, name.isEmpty());
    String objectName = name;
    if (name.isEmpty() && List.of("list", "watch").contains(verb)) {
      objectName = exchange.query().findExactName();
    }
    String requestedNamespace = resource.equals("namespaces") && !isInNamespace ? name : namespace;
    return new RequestInfo(
        Attributes.of(verb, group, resource)
            .withSubresource(subresource)
            .inNamespace(requestedNamespace)
            .withName(objectName),
        version,
        namespace,
        name,
        Math.max(0, segments.length - index - 3),
        isOldWatch);
  }

  private static String getVerb(RequestExchange exchange, boolean isCollection) {
    QueryParameters query = exchange.query();
    return switch (exchange.method()) {
      case "GET", "HEAD" -> !isCollection ? "get" : query.getFlag("watch") ? "watch" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> isCollection ? "deletecollection" : "delete";
      default -> "";
    };
  }
}
