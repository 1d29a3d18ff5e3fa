package dev.mooring.apiserver.http.write;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.handle.WritePreconditions;
import dev.mooring.apiserver.http.authorize.WriteAccess;
import dev.mooring.apiserver.http.render.AnswerEncoder;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.util.List;

public final class WriteHandler {
  private final ObjectHandlers handlers;

  public WriteHandler(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  public void create(RequestExchange exchange, RequestTarget target, WriteAccess access)
      throws IOException, StatusException {
    WriteOptions options = RequestBodies.readOptions(exchange, target.subresource());
    AnswerForm form = AnswerForm.negotiate(exchange.getAccept(), target.type());
    JsonObject object = RequestBodies.readObject(exchange, target.type());
    access.requireNoEscalation(object);
    StoredObject created;
    try {
      created = handlers.create(target.type(), target.namespace(), object, options);
    } catch (StatusException refusal) {
      if (refusal.code() == 409) { // the object was validated before the name was found taken
        target.type().strategy().findWarnings(object).forEach(exchange::addWarning);
      }
      throw refusal;
    }
    target.type().strategy().findWarnings(created.tree()).forEach(exchange::addWarning);
    sendAnswer(exchange, 201, target.type(), created, form);
  }

  public void put(RequestExchange exchange, RequestTarget target, WriteAccess access)
      throws IOException, StatusException {
    if (target.subresource().equals("scale")) {
      ScaleHandler.put(handlers, exchange, target);
      return;
    }
    WriteOptions options = RequestBodies.readOptions(exchange, target.subresource());
    AnswerForm form = AnswerForm.negotiate(exchange.getAccept(), target.type());
    JsonObject object = RequestBodies.readObject(exchange, target.type());
    ResourceType type = target.type();
    checkNames(target, object);
    access.requireNoEscalation(object);
    boolean hasVersion =
        !List.of("", "0").contains(JsonBodies.textAt(object, "metadata", "resourceVersion"));
    StoredObject current =
        handlers.store(type).get(ObjectHandlers.makeKey(type, target.namespace(), target.name()));
    if (current == null && type.traits().createOnUpdate() && target.subresource().isEmpty()) {
      access.requireCreate();
      StoredObject created = handlers.create(type, target.namespace(), object, options);
      type.strategy().findWarnings(created.tree()).forEach(exchange::addWarning);
      sendAnswer(exchange, 201, type, created, form);
      return;
    }
    if (current != null && type.traits().updateNeedsVersion() && !hasVersion) {
      throw WritePreconditions.makeMissingVersion(
          type, target.name(), JsonBodies.getOrAddChild(object, "metadata"), current);
    }
    StoredObject updated =
        handlers.update(type, target.namespace(), target.name(), options, stored -> object);
    type.strategy().findWarnings(updated.tree()).forEach(exchange::addWarning);
    sendAnswer(exchange, 200, type, updated, form);
  }

  private static void checkNames(RequestTarget target, JsonObject object) throws StatusException {
    String sentNamespace = JsonBodies.textAt(object, "metadata", "namespace");
    if (target.type().namespaced()
        && !sentNamespace.isEmpty()
        && !sentNamespace.equals(target.namespace())) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    String sentName = JsonBodies.textAt(object, "metadata", "name");
    if (!sentName.equals(target.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(sentName, target.name()));
    }
  }

  static void sendAnswer(
      RequestExchange exchange, int code, ResourceType type, StoredObject object, AnswerForm form)
      throws IOException {
    exchange.sendAnswer(
        code,
        form.encoding().type(),
        AnswerEncoder.encodeObject(type, object, form, exchange.query().getText("includeObject")));
  }

  static JsonObject makeSuccess(int code) {
    JsonObject status = newObject("kind", "Status", "apiVersion", "v1");
    status.add("metadata", new JsonObject());
    status.addProperty("status", "Success");
    if (code > 0) {
      status.addProperty("code", code);
    }
    return status;
  }
}
