package dev.mooring.apiserver.wire;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

final class RequestTargets {
  private RequestTargets() {}

  /** Returns the request target as the client sent it; null if it is not a path (400). */
  static @Nullable URI parseTarget(CharSequence text) {
    try {
      URI target = new URI(text.toString());
      return target.getRawPath() == null ? null : target;
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
