package dev.mooring.kube;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A write as it is sent.
 *
 * @param place where an object of a key is written
 * @param body what is sent
 * @param reading reads the object in the answer
 */
record Sending<T extends Resource>(
    String method, Place place, String contentType, byte[] body, Reading<T> reading) {
  private static final Pattern VERSION = Pattern.compile("\"resourceVersion\":\"[0-9]+\"");

  /** Where an object of that key is written. */
  @FunctionalInterface
  interface Place {
    ApiPath of(Kind<?> kind, ObjectKey key) throws ImpossibleNameException;
  }

  /** Reads an object from a body; empty if the body confirms a deletion without the object. */
  @FunctionalInterface
  interface Reading<T> {
    Optional<T> of(InputStream body, boolean protobuf) throws IOException;
  }

  /** The same for the same content, whatever version of the object it is for. */
  int digest() {
    return VERSION.matcher(new String(body, StandardCharsets.UTF_8)).replaceFirst("").hashCode();
  }
}
