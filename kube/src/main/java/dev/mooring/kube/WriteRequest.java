package dev.mooring.kube;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

record WriteRequest<T extends Resource>(
    String method, PathOf path, String contentType, byte[] body, BodyReader<T> reader) {
  private static final Pattern VERSION_MEMBER = Pattern.compile("\"resourceVersion\":\"[0-9]+\"");

  @FunctionalInterface
  interface PathOf {
    ApiPath makePath(Kind<?> kind, ObjectKey key) throws ImpossibleNameException;
  }

  /** Reads an object from a body; empty if the body confirms a deletion without the object. */
  @FunctionalInterface
  interface BodyReader<T> {
    Optional<T> readObject(InputStream body, boolean protobuf) throws IOException;
  }

  /** Returns a hash of the content without the resourceVersion, to detect repeated writes. */
  int hashContent() {
    return VERSION_MEMBER
        .matcher(new String(body, StandardCharsets.UTF_8))
        .replaceFirst("")
        .hashCode();
  }
}
