package dev.mooring.apiserver.http.write;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.http.read.ListPages;
import dev.mooring.apiserver.http.render.AnswerEncoder;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

public final class DeleteHandler {
  private final ObjectHandlers handlers;

  public DeleteHandler(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  public void serve(RequestExchange exchange, RequestTarget target)
      throws IOException, StatusException, InterruptedException {
    AnswerForm form = AnswerForm.negotiate(exchange.getAccept(), target.type());
    WriteOptions options = RequestBodies.readDeleteOptions(exchange);
    if (target.isCollection()) {
      deleteCollection(exchange, target, options, form);
    } else {
      deleteObject(exchange, target, options, form);
    }
  }

  private void deleteCollection(
      RequestExchange exchange, RequestTarget target, WriteOptions options, AnswerForm form)
      throws IOException, StatusException, InterruptedException {
    ResourceType type = target.type();
    ListPages.ListPage page =
        ListPages.readPage(handlers.store(type), type, target.namespace(), exchange.query());
    List<StoredObject> deleted = new ArrayList<>();
    for (StoredObject object : page.objects()) {
      String namespace = JsonBodies.textAt(object.tree(), "metadata", "namespace");
      try {
        handlers.delete(
            type, namespace, JsonBodies.textAt(object.tree(), "metadata", "name"), options);
        deleted.add(object);
      } catch (StatusException refusal) {
        if (refusal.code() != 404) {
          throw refusal;
        }
      }
    }
    exchange.sendAnswer(
        200,
        form.encoding().type(),
        AnswerEncoder.encodeList(
            type, deleted, page.metadata(), form, exchange.query().getText("includeObject")));
  }

  private boolean isStored(ResourceType type, StoredObject object) {
    StoredObject stored = handlers.store(type).get(object.key());
    return stored != null
        && JsonBodies.textAt(stored.tree(), "metadata", "uid")
            .equals(JsonBodies.textAt(object.tree(), "metadata", "uid"));
  }

  private void deleteObject(
      RequestExchange exchange, RequestTarget target, WriteOptions options, AnswerForm form)
      throws IOException, StatusException {
    ResourceType type = target.type();
    StoredObject lastState = handlers.delete(type, target.namespace(), target.name(), options);
    boolean isTerminating =
        !JsonBodies.textAt(lastState.tree(), "metadata", "deletionTimestamp").isEmpty()
            && isStored(type, lastState);
    if (type.traits().deleteReturnsObject() || isTerminating) {
      WriteHandler.sendAnswer(exchange, 200, type, lastState, form);
      return;
    }
    JsonObject status = WriteHandler.makeSuccess(0);
    JsonObject details = newObject("name", JsonBodies.textAt(lastState.tree(), "metadata", "name"));
    if (!type.group().isEmpty()) {
      details.addProperty("group", type.group());
    }
    details.addProperty("kind", type.plural());
    details.addProperty("uid", JsonBodies.textAt(lastState.tree(), "metadata", "uid"));
    status.add("details", details);
    exchange.sendAnswer(200, form.encoding(), status);
  }
}
