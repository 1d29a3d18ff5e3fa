package dev.mooring.apiserver.http.write;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestInfo;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.http.request.UnstoredKind;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

public final class PodActions {
  private static final Map<ResourceType, Set<String>> CONTAINER_SUBRESOURCES =
      Map.of(
          KindCatalogue.PODS, Set.of("attach", "exec", "log", "portforward", "proxy"),
          KindCatalogue.SERVICES, Set.of("proxy"),
          KindCatalogue.NODES, Set.of("proxy"));

  private final ObjectHandlers handlers;

  public PodActions(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  /** Returns whether the request needs a running container, for example {@code exec}. */
  public static boolean needsContainer(RequestInfo info) {
    return !info.attributes().subresource().isEmpty() && findContainerType(info).isPresent();
  }

  private static Optional<ResourceType> findContainerType(RequestInfo info) {
    return KindCatalogue.find(
            info.attributes().group(), info.version(), info.attributes().resource())
        .filter(type ->
            CONTAINER_SUBRESOURCES
                .getOrDefault(type, Set.of())
                .contains(info.attributes().subresource()));
  }

  /**
   * Refuses a request that needs a running container. The code is not 5xx, because some clients
   * retry these for minutes.
   */
  public StatusException refuseContainerAccess(RequestInfo info) throws StatusException {
    ResourceType type = findContainerType(info).orElseThrow();
    String name = info.name();
    if (type != KindCatalogue.PODS) { // SCHEME:NAME:PORT selects a port of a service or node
      String[] parts = name.split(":");
      name = parts.length == 3 ? parts[1] : parts[0];
    }
    handlers.get(type, info.namespace(), name);
    return StatusException.noContainers(type, info.attributes().subresource());
  }

  /** Serves the deprecated resource bindings, whose body names the pod. */
  public void serveBindings(RequestExchange exchange, String namespace)
      throws IOException, StatusException {
    if (!exchange.method().equals("POST")) {
      throw StatusException.methodNotAllowed();
    }
    AnswerForm form = AnswerForm.negotiatePlain(exchange.getAccept());
    WriteOptions options = RequestBodies.readOptions(exchange, "");
    JsonObject binding = UnstoredKind.BINDING.read(exchange);
    String name = JsonBodies.textAt(binding, "metadata", "name");
    UnstoredKind.checkNamespace(binding, namespace);
    if (name.isEmpty()) {
      throw StatusException.badRequest("Name parameter required.");
    }
    handlers.requireActiveNamespace(KindCatalogue.PODS, namespace, name);
    admit(namespace, binding, UnstoredKind.BINDING, options.withSubresource("binding"));
    handlers.bind(namespace, name, binding, options);
    sendCreated(exchange, form);
  }

  public void bind(RequestExchange exchange, RequestTarget target)
      throws IOException, StatusException {
    AnswerForm form = AnswerForm.negotiatePlain(exchange.getAccept());
    WriteOptions options = RequestBodies.readOptions(exchange, target.subresource());
    JsonObject binding = readBody(exchange, target, UnstoredKind.BINDING);
    admit(target.namespace(), binding, UnstoredKind.BINDING, options);
    handlers.bind(target.namespace(), target.name(), binding, options);
    sendCreated(exchange, form);
  }

  public void evict(RequestExchange exchange, RequestTarget target)
      throws IOException, StatusException {
    AnswerForm form = AnswerForm.negotiatePlain(exchange.getAccept());
    WriteOptions options = RequestBodies.readOptions(exchange, target.subresource());
    JsonObject eviction = readBody(exchange, target, UnstoredKind.EVICTION);
    admit(target.namespace(), eviction, UnstoredKind.EVICTION, options);
    handlers.evict(target.namespace(), target.name(), readDeleteOptions(eviction, options));
    sendCreated(exchange, form);
  }

  private void admit(String namespace, JsonObject action, UnstoredKind kind, WriteOptions options)
      throws StatusException {
    JsonObject shown = action.deepCopy();
    shown.addProperty("kind", kind.kind());
    shown.addProperty("apiVersion", kind.apiVersion());
    handlers.admitAction(KindCatalogue.PODS, namespace, shown, options);
  }

  private static WriteOptions readDeleteOptions(JsonObject eviction, WriteOptions options)
      throws StatusException {
    JsonElement deleteOptions = JsonBodies.valueAt(eviction, "deleteOptions");
    JsonObject body = deleteOptions instanceof JsonObject object ? object : new JsonObject();
    List<String> dryRunStages = JsonBodies.stringsAt(body, "dryRun");
    if (options.dryRun() && !dryRunStages.isEmpty() && !dryRunStages.equals(List.of("All"))) {
      throw StatusException.internalErrorWithoutReason(
          "Non-matching dry-run options in request and content: [All] and "
              + dryRunStages.toString().replace(",", ""));
    }
    return RequestBodies.parseEvictionOptions(body, options.dryRun());
  }

  private static void sendCreated(RequestExchange exchange, AnswerForm form) throws IOException {
    exchange.sendAnswer(201, form.encoding(), WriteHandler.makeSuccess(201));
  }

  private JsonObject readBody(RequestExchange exchange, RequestTarget target, UnstoredKind kind)
      throws IOException, StatusException {
    JsonObject tree = kind.read(exchange);
    UnstoredKind.checkNamespace(tree, target.namespace());
    handlers.requireActiveNamespace(target.type(), target.namespace(), target.name());
    if (!JsonBodies.textAt(tree, "metadata", "name").equals(target.name())) {
      throw StatusException.badRequest(
          "name in URL does not match name in " + kind.kind() + " object");
    }
    return tree;
  }
}
