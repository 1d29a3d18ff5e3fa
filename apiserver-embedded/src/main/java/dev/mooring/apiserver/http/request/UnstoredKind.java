package dev.mooring.apiserver.http.request;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A kind that triggers an action and is not stored: review, binding, eviction or token request. */
public record UnstoredKind(String kind, String apiVersion) {
  public static final UnstoredKind BINDING = new UnstoredKind("Binding", "v1");

  public static final UnstoredKind EVICTION = new UnstoredKind("Eviction", "policy/v1");

  public static final UnstoredKind TOKEN_REQUEST =
      new UnstoredKind("TokenRequest", "authentication.k8s.io/v1");

  private static final String SCHEME_SUFFIX =
      "\" in scheme \"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\"";

  public JsonObject read(RequestExchange exchange) throws IOException, StatusException {
    List<String> fieldErrors = new ArrayList<>();
    JsonObject body = exchange.readTree(fieldErrors, kind);
    if (body == null) {
      throw StatusException.badRequest(
          "the object provided is unrecognized (must be of type "
              + kind
              + "): couldn't get version/kind; json parse error: unexpected end of JSON input");
    }
    String sentKind = textAt(body, "kind").isEmpty() ? kind : textAt(body, "kind");
    String sentVersion =
        textAt(body, "apiVersion").isEmpty() ? apiVersion : textAt(body, "apiVersion");
    Schema.MessageType message = KindCatalogue.findMessage(apiVersion, kind);
    if (message == null) {
      throw new IllegalStateException("no schema for " + kind);
    }
    boolean isOldEviction =
        this.equals(EVICTION)
            && sentVersion.equals("policy/v1beta1"); // Kubernetes still decodes v1beta1
    if (!sentKind.equals(kind) || !isOldEviction && !sentVersion.equals(apiVersion)) {
      throw makeRefusal(
          sentKind, parseVersion(sentVersion), describeMismatch(sentKind, sentVersion));
    }
    try {
      JsonObject object = JsonBodies.conform(body, message, fieldErrors).object();
      RequestBodies.reportFieldErrors(exchange, kind, parseVersion(apiVersion), fieldErrors);
      return object;
    } catch (BadBodyException e) {
      throw makeRefusal(kind, parseVersion(apiVersion), e.getMessage());
    }
  }

  public static void checkNamespace(JsonObject tree, String namespace) throws StatusException {
    String bodyNamespace = textAt(tree, "metadata", "namespace");
    if (!bodyNamespace.isEmpty() && !bodyNamespace.equals(namespace)) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private StatusException makeRefusal(String sentKind, String sentVersion, String detail) {
    return StatusException.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(sentKind, sentVersion, kind, detail));
  }

  private String describeMismatch(String sentKind, String sentVersion) {
    boolean isKnown =
        KindCatalogue.ALL.stream()
            .anyMatch(t -> t.kind().equals(sentKind) && t.apiVersion().equals(sentVersion));
    return isKnown
        ? "converting ("
            + parseVersion(sentVersion)
            + "."
            + sentKind
            + ") to ("
            + getInternalGroup()
            + "."
            + kind
            + "): unknown conversion"
        : "no kind \"" + sentKind + "\" is registered for version \"" + sentVersion + SCHEME_SUFFIX;
  }

  private String getInternalGroup() {
    int dot = apiVersion.indexOf('.');
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "core" : apiVersion.substring(0, dot < 0 ? slash : dot);
  }

  private static String parseVersion(String apiVersion) {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }
}
