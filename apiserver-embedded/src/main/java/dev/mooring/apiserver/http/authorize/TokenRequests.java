package dev.mooring.apiserver.http.authorize;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.ServiceAccountTokens;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.UnstoredKind;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class TokenRequests {
  private static final long MIN_SECONDS = 600;
  private static final long MAX_SECONDS = 1L << 32;

  private final ObjectHandlers handlers;
  private final ServiceAccountTokens tokens;

  public TokenRequests(ObjectHandlers handlers, ServiceAccountTokens tokens) {
    this.handlers = handlers;
    this.tokens = tokens;
  }

  public void serve(RequestExchange exchange, String namespace, String name)
      throws IOException, StatusException {
    AnswerForm.negotiatePlain(exchange.getAccept());
    // validates the query; dryRun has no effect because nothing is stored
    RequestBodies.readOptions(exchange, "");
    JsonObject request = UnstoredKind.TOKEN_REQUEST.read(exchange);
    UnstoredKind.checkNamespace(request, namespace);
    handlers.requireActiveNamespace(KindCatalogue.SERVICE_ACCOUNTS, namespace, name);
    checkMetadata(request, name);
    JsonObject account = handlers.get(KindCatalogue.SERVICE_ACCOUNTS, namespace, name).tree();
    JsonObject spec = getOrAddChild(request, "spec");
    List<String> audiences = stringsAt(spec, "audiences");
    if (audiences.isEmpty()) {
      audiences = List.of(ServiceAccountTokens.ISSUER);
      spec.add("audiences", newArray(ServiceAccountTokens.ISSUER));
    }
    long seconds = readExpiration(spec);
    spec.addProperty("expirationSeconds", seconds);
    Map<String, JsonObject> boundObjects = findBoundObjects(spec, namespace, name);
    if (valueAt(spec, "boundObjectRef") == null) {
      spec.add("boundObjectRef", JsonNull.INSTANCE);
    }
    Instant expires = Instant.now().plusSeconds(seconds);
    JsonObject status = newObject("token", tokens.sign(account, boundObjects, audiences, expires));
    status.addProperty("expirationTimestamp", CanonicalValues.formatSeconds(expires));
    exchange.sendJson(201, makeAnswer(request, account, status));
  }

  private static long readExpiration(JsonObject spec) throws StatusException {
    JsonElement requested = valueAt(spec, "expirationSeconds");
    long seconds = requested == null ? 3600 : requested.getAsLong();
    FieldErrors errors = new FieldErrors();
    if (seconds < MIN_SECONDS) {
      errors.addInvalid(
          "spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
    } else if (seconds > MAX_SECONDS) {
      errors.addInvalid(
          "spec.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds");
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid(
          "authentication.k8s.io", "TokenRequest", "", errors.getCauses());
    }
    return seconds;
  }

  private static void checkMetadata(JsonObject request, String name) throws StatusException {
    String bodyName = textAt(request, "metadata", "name");
    if (!bodyName.isEmpty() && !bodyName.equals(name)) {
      FieldErrors errors = new FieldErrors();
      errors.addInvalid(
          "metadata.name", bodyName, "must match the service account name if specified");
      throw StatusException.invalid(
          "authentication.k8s.io", "TokenRequest", name, errors.getCauses());
    }
  }

  private static JsonObject makeAnswer(JsonObject request, JsonObject account, JsonObject status) {
    JsonObject metadata = getOrAddChild(request, "metadata");
    metadata.addProperty("name", textAt(account, "metadata", "name"));
    metadata.addProperty("namespace", textAt(account, "metadata", "namespace"));
    metadata.addProperty("uid", textAt(account, "metadata", "uid"));
    metadata.addProperty("creationTimestamp", CanonicalValues.formatSeconds(Instant.now()));
    JsonObject answer = newObject("kind", "TokenRequest", "apiVersion", "authentication.k8s.io/v1");
    answer.add("metadata", metadata);
    answer.add("spec", getOrAddChild(request, "spec"));
    answer.add("status", status);
    return answer;
  }

  private Map<String, JsonObject> findBoundObjects(
      JsonObject spec, String namespace, String account) throws StatusException {
    Map<String, JsonObject> boundObjects = new LinkedHashMap<>();
    if (!(valueAt(spec, "boundObjectRef") instanceof JsonObject reference)) {
      return boundObjects;
    }
    String kind = textAt(reference, "kind");
    String name = textAt(reference, "name");
    ResourceType type = requireBindable(textAt(reference, "apiVersion"), kind);
    if (name.isEmpty()) {
      throw StatusException.badRequest("Name parameter required.");
    }
    JsonObject object = handlers.get(type, namespace, name).tree();
    String uid = textAt(object, "metadata", "uid");
    String requestedUid = textAt(reference, "uid");
    if (!requestedUid.isEmpty() && !requestedUid.equals(uid)) {
      throw StatusException.preconditionFailed(
          type,
          name,
          "the UID in the bound object reference ("
              + requestedUid
              + ") does not match the UID in record. The object might have been deleted and then recreated");
    }
    if (type == KindCatalogue.PODS) {
      String podAccount = textAt(object, "spec", "serviceAccountName");
      if (!account.equals(podAccount)) {
        throw StatusException.badRequest(
            "cannot bind token for serviceaccount \""
                + account
                + "\" to pod running with different serviceaccount name.");
      }
      String node = textAt(object, "spec", "nodeName");
      if (!node.isEmpty() && handlers.store(KindCatalogue.NODES).get(node) != null) {
        boundObjects.put("node", handlers.get(KindCatalogue.NODES, "", node).tree());
      }
    }
    boundObjects.put(kind.toLowerCase(java.util.Locale.ROOT), object);
    return boundObjects;
  }

  private static ResourceType requireBindable(String apiVersion, String kind)
      throws StatusException {
    boolean isCore = !apiVersion.contains("/");
    switch (isCore ? kind : "") {
      case "Pod" -> {
        return KindCatalogue.PODS;
      }
      case "Secret" -> {
        return KindCatalogue.SECRETS;
      }
      case "Node" -> {
        return KindCatalogue.NODES;
      }
      default -> {
        String shownVersion = isCore ? "/" + apiVersion : apiVersion;
        throw StatusException.badRequest(
            "cannot bind token to object of type " + shownVersion + ", Kind=" + kind);
      }
    }
  }
}
