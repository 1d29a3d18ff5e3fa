package dev.mooring.apiserver.http.read;

import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.http.render.Form;
import dev.mooring.apiserver.http.render.Rendering;
import dev.mooring.apiserver.http.render.ScaleRendering;
import dev.mooring.apiserver.http.request.Exchange;
import dev.mooring.apiserver.http.request.QueryParameters;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.store.Stored;
import java.io.IOException;
import java.util.List;

/** GET: one object, a list, a watch. */
public final class Reads {
  private final Handlers handlers;
  private final boolean streamsLists;

  /**
   * Over these handlers.
   *
   * @param streamsLists whether watches may ask for what is there already
   */
  public Reads(Handlers handlers, boolean streamsLists) {
    this.handlers = handlers;
    this.streamsLists = streamsLists;
  }

  /**
   * Answers a GET; a watch until it ends.
   *
   * @throws IOException if the client is gone
   * @throws Problem if there is no such object, or the query asks for what there is not
   * @throws InterruptedException if the server stops
   */
  public void serve(Exchange exchange, RequestTarget target)
      throws IOException, Problem, InterruptedException {
    QueryParameters query = exchange.query();
    boolean watch =
        target.isOldWatch()
            || target.isCollection()
                && query.has("watch")
                && !query.text("watch").equals("0")
                && !query.text("watch").equals("false");
    Form form = Form.of(exchange.accept(), target.type());
    String include = query.text("includeObject");
    if (form.shape() == Form.Shape.TABLE
        && !List.of("", "None", "Metadata", "Object").contains(include)) {
      throw Problem.badRequest("unrecognized includeObject value: \"" + include + "\"");
    }
    if (watch) {
      if (form.encoding() == Form.Encoding.YAML) {
        throw Problem.notAcceptable();
      }
      Listings.checkWatch(exchange.query(), streamsLists);
      Watches.serve(handlers.store(target.type()), target, exchange, form, streamsLists);
    } else if (target.isCollection()) {
      list(exchange, target, form);
    } else {
      one(exchange, target, form);
    }
  }

  private void one(Exchange exchange, RequestTarget target, Form form)
      throws IOException, Problem, InterruptedException {
    if (form.shape() == Form.Shape.METADATA_LIST) {
      throw Problem.notAcceptable(Form.KINDS);
    }
    QueryParameters query = exchange.query();
    long version = Listings.isCached(target.type()) ? query.version() : query.listVersion();
    Listings.awaitVersion(handlers.store(target.type()), target.type(), version);
    Stored object = handlers.get(target.type(), target.namespace(), target.name());
    if (target.subresource().equals("scale")) {
      exchange.answer(
          200,
          Form.of(exchange.accept()).encoding(),
          ScaleRendering.scale(target.type(), object.tree()));
      return;
    }
    exchange.answer(
        200,
        form.encoding().type(),
        Rendering.object(target.type(), object, form, exchange.query().text("includeObject")));
  }

  private void list(Exchange exchange, RequestTarget target, Form form)
      throws IOException, Problem, InterruptedException {
    QueryParameters query = exchange.query();
    Listings.Page page =
        Listings.page(handlers.store(target.type()), target.type(), target.namespace(), query);
    exchange.answer(
        200,
        form.encoding().type(),
        Rendering.list(
            target.type(), page.objects(), page.metadata(), form, query.text("includeObject")));
  }
}
