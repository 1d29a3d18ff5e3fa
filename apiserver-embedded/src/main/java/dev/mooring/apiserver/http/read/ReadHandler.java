package dev.mooring.apiserver.http.read;

import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.http.render.AnswerEncoder;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.render.ScaleRendering;
import dev.mooring.apiserver.http.request.QueryParameters;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.util.List;

public final class ReadHandler {
  private final ObjectHandlers handlers;
  private final boolean streamsLists;

  public ReadHandler(ObjectHandlers handlers, boolean streamsLists) {
    this.handlers = handlers;
    this.streamsLists = streamsLists;
  }

  /**
   * Answers a GET; for a watch, returns when it ends.
   *
   * @throws IOException if the client has closed the connection
   * @throws StatusException if the object does not exist or the query is invalid
   * @throws InterruptedException if the server stops
   */
  public void serve(RequestExchange exchange, RequestTarget target)
      throws IOException, StatusException, InterruptedException {
    QueryParameters query = exchange.query();
    boolean watch =
        target.isOldWatch()
            || target.isCollection()
                && query.has("watch")
                && !query.text("watch").equals("0")
                && !query.text("watch").equals("false");
    AnswerForm form = AnswerForm.of(exchange.accept(), target.type());
    String include = query.text("includeObject");
    if (form.shape() == AnswerForm.ObjectForm.TABLE
        && !List.of("", "None", "Metadata", "Object").contains(include)) {
      throw StatusException.badRequest("unrecognized includeObject value: \"" + include + "\"");
    }
    if (watch) {
      if (form.encoding() == AnswerForm.BodyEncoding.YAML) {
        throw StatusException.notAcceptable();
      }
      ListPages.checkWatch(exchange.query(), streamsLists);
      WatchHandler.serve(handlers.store(target.type()), target, exchange, form, streamsLists);
    } else if (target.isCollection()) {
      answerList(exchange, target, form);
    } else {
      answerObject(exchange, target, form);
    }
  }

  private void answerObject(RequestExchange exchange, RequestTarget target, AnswerForm form)
      throws IOException, StatusException, InterruptedException {
    if (form.shape() == AnswerForm.ObjectForm.METADATA_LIST) {
      throw StatusException.notAcceptable(AnswerForm.KINDS);
    }
    QueryParameters query = exchange.query();
    long version = ListPages.isCached(target.type()) ? query.version() : query.listVersion();
    ListPages.awaitVersion(handlers.store(target.type()), target.type(), version);
    StoredObject object = handlers.get(target.type(), target.namespace(), target.name());
    if (target.subresource().equals("scale")) {
      exchange.answer(
          200,
          AnswerForm.of(exchange.accept()).encoding(),
          ScaleRendering.scale(target.type(), object.tree()));
      return;
    }
    exchange.answer(
        200,
        form.encoding().type(),
        AnswerEncoder.object(target.type(), object, form, exchange.query().text("includeObject")));
  }

  private void answerList(RequestExchange exchange, RequestTarget target, AnswerForm form)
      throws IOException, StatusException, InterruptedException {
    QueryParameters query = exchange.query();
    ListPages.ListPage page =
        ListPages.page(handlers.store(target.type()), target.type(), target.namespace(), query);
    exchange.answer(
        200,
        form.encoding().type(),
        AnswerEncoder.list(
            target.type(), page.objects(), page.metadata(), form, query.text("includeObject")));
  }
}
