package dev.mooring.apiserver.http;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.FieldErrors;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Stored;
import java.io.IOException;
import java.util.List;

/** POST, PUT and PATCH of objects. */
final class Writes {
  private final Handlers handlers;
  private final AccessControl access;
  private final Escalation escalation;

  Writes(Handlers handlers, AccessControl access) {
    this.handlers = handlers;
    this.access = access;
    this.escalation = new Escalation(access.authorizer());
  }

  /** Who makes an object by a PUT or an apply must be allowed to create it. */
  private void requireCreate(User user, RequestTarget target) throws Problem {
    ResourceType type = target.type();
    access.require(
        user,
        new Attributes(
            "create", type.group(), type.plural(), "", target.namespace(), target.name(), ""));
  }

  void create(Exchange exchange, User user, RequestTarget target) throws IOException, Problem {
    WriteOptions options = RequestBodies.options(exchange, target.subresource());
    Form form = Form.of(exchange.accept(), target.type());
    JsonObject object = RequestBodies.object(exchange, target.type());
    escalation.check(user, target, object);
    Stored created;
    try {
      created = handlers.create(target.type(), target.namespace(), object, options);
    } catch (Problem refused) {
      if (refused.code() == 409) { // it was looked at, and the name found taken after that
        target.type().rules().warnings(object).forEach(exchange::warn);
      }
      throw refused;
    }
    target.type().rules().warnings(created.tree()).forEach(exchange::warn);
    answer(exchange, 201, target.type(), created, form);
  }

  void put(Exchange exchange, User user, RequestTarget target) throws IOException, Problem {
    if (target.subresource().equals("scale")) {
      Scales.put(handlers, exchange, target);
      return;
    }
    WriteOptions options = RequestBodies.options(exchange, target.subresource());
    Form form = Form.of(exchange.accept(), target.type());
    JsonObject object = RequestBodies.object(exchange, target.type());
    ResourceType type = target.type();
    checkNames(target, object);
    escalation.check(user, target, object);
    boolean versioned =
        !List.of("", "0").contains(JsonBodies.text(object, "metadata", "resourceVersion"));
    Stored current =
        handlers.store(type).get(Handlers.key(type, target.namespace(), target.name()));
    if (current == null && type.traits().createOnUpdate() && target.subresource().isEmpty()) {
      requireCreate(user, target);
      Stored created = handlers.create(type, target.namespace(), object, options);
      type.rules().warnings(created.tree()).forEach(exchange::warn);
      answer(exchange, 201, type, created, form);
      return;
    }
    if (current != null && type.traits().updateNeedsVersion() && !versioned) {
      Preconditions.sameUid(type, target.name(), JsonBodies.child(object, "metadata"), current);
      FieldErrors errors = new FieldErrors();
      errors.invalid("metadata.resourceVersion", 0, "must be specified for an update");
      throw Problem.invalid(type.group(), type.plural(), target.name(), errors.all());
    }
    Stored updated = handlers.update(type, target.namespace(), target.name(), options, _ -> object);
    type.rules().warnings(updated.tree()).forEach(exchange::warn);
    answer(exchange, 200, type, updated, form);
  }

  private static void checkNames(RequestTarget target, JsonObject object) throws Problem {
    String sentNamespace = JsonBodies.text(object, "metadata", "namespace");
    if (target.type().namespaced()
        && !sentNamespace.isEmpty()
        && !sentNamespace.equals(target.namespace())) {
      throw Problem.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    String sentName = JsonBodies.text(object, "metadata", "name");
    if (!sentName.equals(target.name())) {
      throw Problem.badRequest(
          "the name of the object ("
              + sentName
              + ") does not match the name on the URL ("
              + target.name()
              + ")");
    }
  }

  void patch(Exchange exchange, User user, RequestTarget target) throws IOException, Problem {
    WriteOptions options = RequestBodies.options(exchange, target.subresource()).asPatch();
    new PatchRequest(
            handlers,
            exchange,
            target,
            new PatchRequest.Guard() {
              @Override
              public void result(JsonObject object) throws Problem {
                escalation.check(user, target, object);
              }

              @Override
              public void creation() throws Problem {
                requireCreate(user, target);
              }
            })
        .serve(options);
  }

  static void answer(Exchange exchange, int code, ResourceType type, Stored object, Form form)
      throws IOException {
    exchange.answer(
        code,
        form.encoding().type(),
        Rendering.object(type, object, form, exchange.query().text("includeObject")));
  }

  /** The answer to what was done. */
  static JsonObject success(int code) {
    JsonObject status = new JsonObject();
    status.addProperty("kind", "Status");
    status.addProperty("apiVersion", "v1");
    status.add("metadata", new JsonObject());
    status.addProperty("status", "Success");
    if (code > 0) {
      status.addProperty("code", code);
    }
    return status;
  }
}
