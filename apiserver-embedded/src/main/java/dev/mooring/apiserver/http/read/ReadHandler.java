package dev.mooring.apiserver.http.read;

import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.ScaleRendering;
import dev.mooring.apiserver.http.render.AnswerEncoder;
import dev.mooring.apiserver.http.render.AnswerForm;
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
    boolean isWatch =
        target.isOldWatch()
            || target.isCollection()
                && query.has("watch")
                && !query.getText("watch").equals("0")
                && !query.getText("watch").equals("false");
    AnswerForm form = AnswerForm.negotiate(exchange.getAccept(), target.type());
    String includeObject = query.getText("includeObject");
    if (form.shape() == AnswerForm.ObjectForm.TABLE
        && !List.of("", "None", "Metadata", "Object").contains(includeObject)) {
      throw StatusException.badRequest(
          "unrecognized includeObject value: \"" + includeObject + "\"");
    }
    if (isWatch) {
      if (form.encoding() == AnswerForm.BodyEncoding.YAML) {
        throw StatusException.notAcceptable();
      }
      ListPages.checkWatch(exchange.query(), streamsLists);
      WatchHandler.serve(handlers.store(target.type()), target, exchange, form, streamsLists);
    } else if (target.isCollection()) {
      sendList(exchange, target, form);
    } else {
      sendObject(exchange, target, form);
    }
  }

  private void sendObject(RequestExchange exchange, RequestTarget target, AnswerForm form)
      throws IOException, StatusException, InterruptedException {
    if (form.shape() == AnswerForm.ObjectForm.METADATA_LIST) {
      throw StatusException.notAcceptable(AnswerForm.UNSUPPORTED_MESSAGE);
    }
    QueryParameters query = exchange.query();
    long version = ListPages.isCached(target.type()) ? query.getVersion() : query.getListVersion();
    ListPages.awaitVersion(handlers.store(target.type()), target.type(), version);
    StoredObject object = handlers.get(target.type(), target.namespace(), target.name());
    if (target.subresource().equals("scale")) {
      exchange.sendAnswer(
          200,
          AnswerForm.negotiate(exchange.getAccept()).encoding(),
          ScaleRendering.makeScale(target.type(), object.tree()));
      return;
    }
    exchange.sendAnswer(
        200,
        form.encoding().type(),
        AnswerEncoder.encodeObject(
            target.type(), object, form, exchange.query().getText("includeObject")));
  }

  private void sendList(RequestExchange exchange, RequestTarget target, AnswerForm form)
      throws IOException, StatusException, InterruptedException {
    QueryParameters query = exchange.query();
    ListPages.ListPage page =
        ListPages.readPage(handlers.store(target.type()), target.type(), target.namespace(), query);
    exchange.sendAnswer(
        200,
        form.encoding().type(),
        AnswerEncoder.encodeList(
            target.type(), page.objects(), page.metadata(), form, query.getText("includeObject")));
  }
}
