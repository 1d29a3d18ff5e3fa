package dev.mooring.apiserver.http;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** What is done to a pod: it is bound to a node, or evicted. */
final class PodActions {
  private final Handlers verbs;

  PodActions(Handlers verbs) {
    this.verbs = verbs;
  }

  /** The old form of a binding: the pod is named in the body. */
  void bindings(Exchange exchange, String namespace) throws IOException, Problem {
    JsonObject binding = exchange.tree(new ArrayList<>(), "Binding");
    if (binding == null) {
      throw Problem.badRequest("the body is empty (must be of type Binding)");
    }
    verbs.bind(
        namespace,
        JsonBodies.text(binding, "metadata", "name"),
        binding,
        RequestBodies.options(exchange, ""));
    exchange.json(201, Router.success(201));
  }

  void bind(Exchange exchange, RequestTarget target) throws IOException, Problem {
    WriteOptions options = RequestBodies.options(exchange, target.subresource());
    verbs.bind(target.namespace(), target.name(), named(exchange, target, "Binding"), options);
    exchange.json(201, Router.success(201));
  }

  void evict(Exchange exchange, RequestTarget target) throws IOException, Problem {
    WriteOptions options = RequestBodies.options(exchange, target.subresource());
    JsonObject eviction = named(exchange, target, "Eviction");
    Form form = Form.of(exchange.accept());
    if (!options.dryRun()) {
      verbs.update(
          target.type(),
          target.namespace(),
          target.name(),
          WriteOptions.STATUS,
          pod -> {
            StatusConditions.set(
                pod, "DisruptionTarget", "True", "EvictionByEvictionAPI", "Eviction API: evicting");
            return pod;
          });
    }
    JsonElement grace = JsonBodies.at(eviction, "deleteOptions", "gracePeriodSeconds");
    verbs.delete(
        target.type(),
        target.namespace(),
        target.name(),
        new WriteOptions(
            options.dryRun(),
            "",
            uid(eviction),
            null,
            grace == null ? null : grace.getAsLong(),
            false));
    JsonObject done = Router.success(201);
    exchange.answer(
        201,
        form.encoding().type(),
        form.encoding() == Form.Encoding.PROTOBUF
            ? Rendering.status(done)
            : done.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String uid(JsonObject eviction) {
    String[] path = {"deleteOptions", "preconditions", "uid"};
    return JsonBodies.at(eviction, path) == null ? null : JsonBodies.text(eviction, path);
  }

  private static JsonObject named(Exchange exchange, RequestTarget target, String kind)
      throws IOException, Problem {
    JsonObject tree = exchange.tree(new ArrayList<>(), kind);
    if (tree == null) {
      throw Problem.badRequest("the body is empty (must be of type " + kind + ")");
    }
    String name = JsonBodies.text(tree, "metadata", "name");
    if (!name.isEmpty() && !name.equals(target.name())) {
      throw Problem.badRequest("name in URL does not match name in " + kind + " object");
    }
    return tree;
  }
}
