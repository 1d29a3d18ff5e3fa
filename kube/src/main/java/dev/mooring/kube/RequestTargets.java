package dev.mooring.kube;

import java.util.Map;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

// Encodes paths and queries below the address of a server.
final class RequestTargets {
  private static final Pattern UNESCAPED = Pattern.compile("[A-Za-z0-9/._-]*");

  private final HttpUrl server;
  private final String basePath;

  RequestTargets(HttpUrl server) {
    this.server = server;
    this.basePath = server.encodedPath().replaceAll("/+$", "");
  }

  // Escaping costs more than the rest of a request, and few requests need it.
  String encode(ApiPath path, Map<String, String> query) {
    StringBuilder plain = new StringBuilder(basePath).append(path);
    boolean isPlain = UNESCAPED.matcher(plain).matches();
    char separator = '?';
    for (Map.Entry<String, String> parameter : query.entrySet()) {
      isPlain &= UNESCAPED.matcher(parameter.getValue()).matches();
      plain.append(separator).append(parameter.getKey()).append('=').append(parameter.getValue());
      separator = '&';
    }
    return isPlain ? plain.toString() : escape(path, query);
  }

  private String escape(ApiPath path, Map<String, String> query) {
    HttpUrl.Builder url = server.newBuilder().encodedPath(basePath + path);
    query.forEach(url::addQueryParameter);
    HttpUrl target = url.build();
    String encodedQuery = target.encodedQuery();
    return target.encodedPath() + (encodedQuery == null ? "" : "?" + encodedQuery);
  }
}
