package dev.mooring.apiserver.http.write;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.http.render.Form;
import dev.mooring.apiserver.http.request.Exchange;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.http.request.UnstoredKind;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import java.io.IOException;
import java.util.List;

/** What is done to a pod: it is bound to a node, or evicted. */
public final class PodActions {
  private final Handlers handlers;

  /** Over these handlers. */
  public PodActions(Handlers handlers) {
    this.handlers = handlers;
  }

  /**
   * The old form of a binding: the pod is named in the body.
   *
   * @param namespace the pod's
   * @throws IOException if the client is gone
   * @throws Problem if it is refused
   */
  public void bindings(Exchange exchange, String namespace) throws IOException, Problem {
    if (!exchange.method().equals("POST")) {
      throw Problem.methodNotAllowed();
    }
    Form form = Form.plain(exchange.accept());
    WriteOptions options = RequestBodies.options(exchange, "");
    JsonObject binding = UnstoredKind.BINDING.read(exchange);
    String name = JsonBodies.text(binding, "metadata", "name");
    UnstoredKind.checkNamespace(binding, namespace);
    if (name.isEmpty()) {
      throw Problem.badRequest("Name parameter required.");
    }
    handlers.requireLiving(KindCatalogue.PODS, namespace, name);
    handlers.bind(namespace, name, binding, options);
    done(exchange, form);
  }

  /**
   * Binds the pod as the body says.
   *
   * @throws IOException if the client is gone
   * @throws Problem if it is refused
   */
  public void bind(Exchange exchange, RequestTarget target) throws IOException, Problem {
    Form form = Form.plain(exchange.accept());
    WriteOptions options = RequestBodies.options(exchange, target.subresource());
    handlers.bind(
        target.namespace(), target.name(), named(exchange, target, UnstoredKind.BINDING), options);
    done(exchange, form);
  }

  /**
   * Evicts the pod as the body says.
   *
   * @throws IOException if the client is gone
   * @throws Problem if it is refused
   */
  public void evict(Exchange exchange, RequestTarget target) throws IOException, Problem {
    Form form = Form.plain(exchange.accept());
    WriteOptions options = RequestBodies.options(exchange, target.subresource());
    JsonObject eviction = named(exchange, target, UnstoredKind.EVICTION);
    handlers.evict(target.namespace(), target.name(), deletion(eviction, options));
    done(exchange, form);
  }

  /** How the pod is deleted: as the eviction says, dry if either of the two wishes so. */
  private static WriteOptions deletion(JsonObject eviction, WriteOptions options) throws Problem {
    JsonElement said = JsonBodies.at(eviction, "deleteOptions");
    JsonObject read = said instanceof JsonObject object ? object : new JsonObject();
    List<String> dry = JsonBodies.strings(read, "dryRun");
    if (options.dryRun() && !dry.isEmpty() && !dry.equals(List.of("All"))) {
      throw Problem.internal(
          "Non-matching dry-run options in request and content: [All] and "
              + dry.toString().replace(",", ""));
    }
    return RequestBodies.evictionOptions(read, options.dryRun());
  }

  private static void done(Exchange exchange, Form form) throws IOException {
    exchange.answer(201, form.encoding(), Writes.success(201));
  }

  private JsonObject named(Exchange exchange, RequestTarget target, UnstoredKind asked)
      throws IOException, Problem {
    JsonObject tree = asked.read(exchange);
    UnstoredKind.checkNamespace(tree, target.namespace());
    handlers.requireLiving(target.type(), target.namespace(), target.name());
    if (!JsonBodies.text(tree, "metadata", "name").equals(target.name())) {
      throw Problem.badRequest("name in URL does not match name in " + asked.kind() + " object");
    }
    return tree;
  }
}
