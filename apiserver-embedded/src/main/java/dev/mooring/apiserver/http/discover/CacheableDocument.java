package dev.mooring.apiserver.http.discover;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.RequestExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

record CacheableDocument(JsonObject tree, byte[] json, String hash) {
  static CacheableDocument of(JsonObject tree) {
    byte[] json = tree.toString().getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(json);
      return new CacheableDocument(tree, json, HexFormat.of().withUpperCase().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-512", e);
    }
  }

  String getTag() {
    return '"' + hash + '"';
  }

  void send(RequestExchange exchange, String contentType, byte[] body, int minCompressedBytes)
      throws IOException {
    exchange.setHeader("Etag", getTag());
    boolean isCurrent =
        Arrays.stream(exchange.getHeader("If-None-Match").split(","))
            .map(tag -> tag.strip().replaceFirst("^W/", ""))
            .anyMatch(tag -> tag.equals("*") || tag.equals(getTag()));
    if (isCurrent) {
      exchange.sendNotModified();
    } else {
      exchange.sendAnswer(200, contentType, body, minCompressedBytes);
    }
  }
}
