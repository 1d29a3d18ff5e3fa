package dev.mooring.apiserver.http.write;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.ScaleRendering;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.util.ArrayList;

public final class ScaleHandler {
  private ScaleHandler() {}

  static void put(ObjectHandlers handlers, RequestExchange exchange, RequestTarget target)
      throws IOException, StatusException {
    WriteOptions options = RequestBodies.readOptions(exchange, "scale");
    JsonObject body = exchange.readTree(new ArrayList<>(), "Scale");
    if (body == null) {
      throw StatusException.badRequest("empty body");
    }
    JsonObject scale = parseScale(body);
    String name = textAt(scale, "metadata", "name");
    if (!name.equals(target.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, target.name()));
    }
    updateScale(handlers, exchange, target, options, current -> scale);
  }

  private static JsonObject parseScale(JsonObject body) throws StatusException {
    String kind = textAt(body, "kind");
    String version = textAt(body, "apiVersion");
    if (!kind.equals("Scale") || !version.equals("autoscaling/v1")) {
      throw StatusException.badRequest(
          "%s in version \"%s\" cannot be handled as a Scale: converting (%s.%s) to (autoscaling.Scale): unknown conversion"
              .formatted(kind, version, version, kind));
    }
    try {
      return JsonBodies.conform(body, Schema.getMessage("Scale"), new ArrayList<>()).object();
    } catch (BadBodyException e) {
      throw StatusException.badRequest(
          "Scale in version \"v1\" cannot be handled as a Scale: " + e.getMessage());
    }
  }

  /**
   * Patches the scale. An invalid result is an error of the patch.
   *
   * @param edit the patch of the scale
   */
  public static void patch(
      ObjectHandlers handlers,
      RequestExchange exchange,
      RequestTarget target,
      ObjectHandlers.ObjectEdit edit)
      throws IOException, StatusException {
    updateScale(
        handlers,
        exchange,
        target,
        RequestBodies.readOptions(exchange, "scale").asPatch(),
        current -> {
          try {
            return JsonBodies.conform(
                    edit.apply(current), Schema.getMessage("Scale"), new ArrayList<>())
                .object();
          } catch (BadBodyException e) {
            throw StatusException.unreadablePatch(String.valueOf(e.getMessage()));
          }
        });
  }

  private static void updateScale(
      ObjectHandlers handlers,
      RequestExchange exchange,
      RequestTarget target,
      WriteOptions options,
      ObjectHandlers.ObjectEdit edit)
      throws IOException, StatusException {
    StoredObject updated =
        handlers.update(
            target.type(),
            target.namespace(),
            target.name(),
            options,
            current ->
                applyScale(
                    target, edit.apply(ScaleRendering.makeScale(target.type(), current)), current));
    sendScale(exchange, target.type(), updated);
  }

  private static JsonObject applyScale(RequestTarget target, JsonObject scale, JsonObject object)
      throws StatusException {
    String version = textAt(scale, "metadata", "resourceVersion");
    if (!version.isEmpty()) {
      getOrAddChild(object, "metadata").addProperty("resourceVersion", version);
    }
    long replicas = ScaleRendering.setReplicas(target.type(), scale, object);
    if (replicas < 0 && !target.type().isCustom()) {
      FieldErrors errors = new FieldErrors();
      errors.addInvalid("spec.replicas", replicas, "must be greater than or equal to 0");
      throw StatusException.invalid("autoscaling", "Scale", target.name(), errors.getCauses());
    }
    return object;
  }

  public static void sendScale(RequestExchange exchange, ResourceType type, StoredObject object)
      throws IOException, StatusException {
    exchange.sendAnswer(
        200,
        AnswerForm.negotiate(exchange.getAccept()).encoding(),
        ScaleRendering.makeScale(type, object.tree()));
  }
}
