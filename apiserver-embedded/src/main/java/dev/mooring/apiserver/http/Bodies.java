package dev.mooring.apiserver.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.Causes;
import dev.mooring.apiserver.kinds.EventRules;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a write's request says: its options, and the object in its body. */
final class Bodies {
  private Bodies() {}

  static WriteOptions options(Exchange exchange, String subresource) throws Problem {
    Query query = exchange.query();
    String dryRun = query.text("dryRun");
    if (query.has("dryRun") && !dryRun.equals("All")) {
      throw dryRunRefused(dryRun);
    }
    return new WriteOptions(dryRun.equals("All"), subresource, null, null, null, false);
  }

  private static Problem dryRunRefused(String value) {
    Causes causes = new Causes();
    causes.notSupported("dryRun", "[" + value + "]", List.of("All"));
    return Problem.invalid("meta.k8s.io", "CreateOptions", "", causes.all());
  }

  /** Reads the body as an object of the type, under the request's field validation. */
  static JsonObject object(Exchange exchange, ResourceType type) throws IOException, Problem {
    List<String> complaints = new ArrayList<>();
    JsonObject tree = exchange.tree(complaints, type.kind());
    if (tree == null) {
      throw Problem.badRequest(
          "the object provided is unrecognized (must be of type "
              + type.kind()
              + "): couldn't get version/kind; json parse error: unexpected end of JSON input");
    }
    String kind = JsonBodies.text(tree, "kind");
    String version = JsonBodies.text(tree, "apiVersion");
    if (!kind.isEmpty() && !kind.equals(type.kind())
        || !version.isEmpty() && !version.equals(type.apiVersion())) {
      String sentVersion = version.isEmpty() ? type.apiVersion() : version;
      throw Problem.badRequest(
          type.kind()
              + " in version \""
              + type.version()
              + "\" cannot be handled as a "
              + type.kind()
              + ": no kind \""
              + kind
              + "\" is registered for version \""
              + sentVersion
              + "\"");
    }
    return conform(exchange, type, tree, complaints);
  }

  static JsonObject conform(
      Exchange exchange, ResourceType type, JsonObject tree, List<String> complaints)
      throws Problem {
    JsonObject object;
    try {
      object = JsonBodies.conform(tree, type.schema(), complaints).object();
    } catch (BadBodyException e) {
      throw Problem.badRequest(
          type.kind()
              + " in version \""
              + type.version()
              + "\" cannot be handled as a "
              + type.kind()
              + ": "
              + e.getMessage());
    }
    complain(exchange, type, complaints);
    return type == Catalogue.NEW_EVENTS ? EventRules.fromEvents(object) : object;
  }

  private static void complain(Exchange exchange, ResourceType type, List<String> complaints)
      throws Problem {
    String how = exchange.query().text("fieldValidation");
    switch (how) {
      case "Ignore" -> {
        // as asked: silence
      }
      case "Strict" -> {
        if (!complaints.isEmpty()) {
          throw Problem.badRequest(
              type.kind()
                  + " in version \""
                  + type.version()
                  + "\" cannot be handled as a "
                  + type.kind()
                  + ": strict decoding error: "
                  + String.join(", ", complaints));
        }
      }
      case "", "Warn" -> complaints.forEach(exchange::warn);
      default -> {
        Causes causes = new Causes();
        causes.notSupported("fieldValidation", how, List.of("", "Ignore", "Strict", "Warn"));
        throw Problem.invalid("meta.k8s.io", "CreateOptions", "", causes.all());
      }
    }
  }

  static WriteOptions deleteOptions(Exchange exchange) throws IOException, Problem {
    JsonObject body = exchange.tree(new ArrayList<>(), "DeleteOptions");
    Query query = exchange.query();
    boolean dryRun = options(exchange, "").dryRun();
    Long grace = query.has("gracePeriodSeconds") ? query.number("gracePeriodSeconds", 0) : null;
    if (body == null) {
      return new WriteOptions(dryRun, "", null, null, grace, false);
    }
    try {
      JsonElement own = JsonBodies.at(body, "gracePeriodSeconds");
      JsonElement dry = JsonBodies.at(body, "dryRun");
      String uid = JsonBodies.text(body, "preconditions", "uid");
      String version = JsonBodies.text(body, "preconditions", "resourceVersion");
      if (dry instanceof JsonArray list
          && !list.isEmpty()
          && !list.get(0).getAsString().equals("All")) {
        throw dryRunRefused(list.get(0).getAsString());
      }
      return new WriteOptions(
          dryRun || dry instanceof JsonArray l && !l.isEmpty(),
          "",
          empty(uid),
          empty(version),
          own == null ? grace : Long.valueOf(own.getAsLong()),
          false);
    } catch (NumberFormatException | IllegalStateException e) {
      throw Problem.badRequest("DeleteOptions cannot be read: " + e.getMessage());
    }
  }

  private static @Nullable String empty(String text) {
    return text.isEmpty() ? null : text;
  }
}
