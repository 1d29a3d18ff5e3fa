package dev.mooring.apiserver.http.read;

import static dev.mooring.apiserver.codec.JsonBodies.objectOf;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.http.request.QueryParameters;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

public final class ListPages {
  public record ListPage(List<StoredObject> objects, JsonObject metadata) {}

  private ListPages() {}

  /**
   * Returns the page that the query selects.
   *
   * @param namespace "" for all namespaces
   * @throws StatusException if the query is invalid, or its version is expired or in the future
   * @throws InterruptedException if the server stops
   */
  public static ListPage page(
      Store store, ResourceType type, String namespace, QueryParameters query)
      throws StatusException, InterruptedException {
    checkList(query);
    Predicate<JsonObject> selected = RequestSelectors.of(type, query);
    query.number("timeoutSeconds", 0); // only validates the parameter; a list has no timeout
    long limit = Math.max(0, query.number("limit", 0));
    String token = query.text("continue");
    String prefix = namespace.isEmpty() ? "" : namespace + "/";
    Store.ObjectListing listing;
    String after = "";
    if (!token.isEmpty()) {
      long requested = query.listVersion();
      if (requested > 0) {
        throw StatusException.badRequest(
            "specifying resource version is not allowed when using continue");
      }
      JsonObject decoded = decode(token);
      long version = decoded.get("rv").getAsLong();
      after = decoded.get("start").getAsString().replace("\0", "");
      Optional<Store.ObjectListing> then =
          version < 0 ? Optional.of(store.list(prefix)) : store.listAt(prefix, version);
      if (then.isEmpty()) {
        throw StatusException.expiredList(encode(-1, after));
      }
      listing = then.get();
    } else {
      listing = at(store, type, prefix, query);
    }
    boolean narrowed =
        !query.text("labelSelector").isEmpty() || !query.text("fieldSelector").isEmpty();
    boolean fromCache = query.text("resourceVersion").equals("0") && isCached(type);
    String named = query.exactName();
    boolean single = !named.isEmpty() && (!type.namespaced() || !namespace.isEmpty());
    return cutPage(listing, selected, after, fromCache || single ? 0 : limit, narrowed);
  }

  private static Store.ObjectListing at(
      Store store, ResourceType type, String prefix, QueryParameters query)
      throws StatusException, InterruptedException {
    long version = query.listVersion();
    awaitVersion(store, type, version);
    boolean exact =
        query.text("resourceVersionMatch").equals("Exact")
            || (version > 0
                && query.number("limit", 0) > 0
                && query.text("resourceVersionMatch").isEmpty());
    if (!exact) {
      return store.list(prefix);
    }
    return store
        .listAt(prefix, version)
        .orElseThrow(
            () -> StatusException.expired("The resourceVersion for the provided list is too old."));
  }

  static boolean isCached(ResourceType type) {
    return type != KindCatalogue.EVENTS && type != KindCatalogue.NEW_EVENTS;
  }

  static void awaitVersion(Store store, ResourceType type, long version)
      throws StatusException, InterruptedException {
    if (version > store.version() && !store.awaitVersion(version, 300, TimeUnit.MILLISECONDS)) {
      throw StatusException.futureVersion(version, store.version(), isCached(type));
    }
  }

  private static ListPage cutPage(
      Store.ObjectListing listing,
      Predicate<JsonObject> selected,
      String after,
      long limit,
      boolean narrowed) {
    List<StoredObject> page = new ArrayList<>();
    // counts all remaining objects, because selectors are not evaluated for them
    long remaining = 0;
    for (StoredObject object : listing.objects()) {
      if (!after.isEmpty() && object.key().compareTo(after) <= 0) {
        continue;
      }
      if (limit > 0 && page.size() >= limit) {
        remaining++;
      } else if (selected.test(object.tree())) {
        page.add(object);
      }
    }
    JsonObject metadata = objectOf("resourceVersion", Long.toString(listing.version()));
    if (remaining > 0) {
      metadata.addProperty("continue", encode(listing.version(), page.getLast().key()));
      if (!narrowed) {
        metadata.addProperty("remainingItemCount", remaining);
      }
    }
    return new ListPage(page, metadata);
  }

  private static String encode(long version, String after) {
    JsonObject token = objectOf("v", "meta.k8s.io/v1", "rv", version, "start", after + "\0");
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject decode(String token) throws StatusException {
    try {
      JsonObject decoded =
          JsonParser.parseString(
                  new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8))
              .getAsJsonObject();
      if (!JsonBodies.text(decoded, "v").equals("meta.k8s.io/v1")) {
        throw StatusException.badRequest(
            "invalid continue token: continue key is not valid: server does not recognize this encoded version "
                + JsonBodies.text(decoded, "v"));
      }
      return decoded;
    } catch (IllegalArgumentException | JsonSyntaxException | IllegalStateException e) {
      throw StatusException.badRequest(
          "invalid continue token: continue key is not valid: " + e.getMessage());
    }
  }

  static void checkWatch(QueryParameters query, boolean streamsLists) throws StatusException {
    FieldErrors errors = new FieldErrors();
    boolean byDefault = streamsLists && streamsByDefault(query);
    String match = byDefault ? "NotOlderThan" : query.text("resourceVersionMatch");
    boolean initial = byDefault || query.has("sendInitialEvents");
    if (initial && !match.equals("NotOlderThan")) {
      errors.addForbidden(
          "resourceVersionMatch",
          "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (initial && !streamsLists) {
      errors.addForbidden(
          "sendInitialEvents",
          "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
    }
    if (!match.isEmpty()) {
      if (!initial) {
        errors.addForbidden(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
      }
      if (!query.text("continue").isEmpty()) {
        errors.addForbidden(
            "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
      }
      if (!match.equals("NotOlderThan")) {
        errors.addNotSupported("resourceVersionMatch", match, List.of("NotOlderThan"));
      }
    }
    refuse(errors);
  }

  /**
   * Returns whether the watch starts with the present objects and a bookmark although the query
   * does not request that.
   */
  static boolean streamsByDefault(QueryParameters query) {
    return !query.has("sendInitialEvents")
        && query.text("resourceVersionMatch").isEmpty()
        && List.of("", "0").contains(query.text("resourceVersion"));
  }

  static void checkList(QueryParameters query) throws StatusException {
    FieldErrors errors = new FieldErrors();
    String match = query.text("resourceVersionMatch");
    boolean versioned = !query.text("resourceVersion").isEmpty();
    if (!match.isEmpty()) {
      if (!versioned) {
        errors.addForbidden(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden unless resourceVersion is provided");
      }
      if (!query.text("continue").isEmpty()) {
        errors.addForbidden(
            "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
      }
      if (!match.equals("NotOlderThan") && !match.equals("Exact")) {
        errors.addNotSupported("resourceVersionMatch", match, List.of("Exact", "NotOlderThan", ""));
      }
      if (match.equals("Exact") && query.text("resourceVersion").equals("0")) {
        errors.addForbidden(
            "resourceVersionMatch",
            "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
      }
    }
    if (query.has("sendInitialEvents")) {
      errors.addForbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
    }
    refuse(errors);
  }

  private static void refuse(FieldErrors errors) throws StatusException {
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "ListOptions", "", errors.all());
    }
  }
}
