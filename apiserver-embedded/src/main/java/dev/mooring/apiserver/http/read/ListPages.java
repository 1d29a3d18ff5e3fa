package dev.mooring.apiserver.http.read;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

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
  public static ListPage readPage(
      Store store, ResourceType type, String namespace, QueryParameters query)
      throws StatusException, InterruptedException {
    checkList(query);
    Predicate<JsonObject> selector = RequestSelectors.parse(type, query);
    query.getNumber("timeoutSeconds", 0); // only validates the parameter; a list has no timeout
    long limit = Math.max(0, query.getNumber("limit", 0));
    String token = query.getText("continue");
    String prefix = namespace.isEmpty() ? "" : namespace + "/";
    Store.ObjectListing listing;
    String startKey = "";
    if (!token.isEmpty()) {
      long requested = query.getListVersion();
      if (requested > 0) {
        throw StatusException.badRequest(
            "specifying resource version is not allowed when using continue");
      }
      JsonObject decoded = decodeToken(token);
      long version = decoded.get("rv").getAsLong();
      startKey = decoded.get("start").getAsString().replace("\0", "");
      Optional<Store.ObjectListing> pastListing =
          version < 0 ? Optional.of(store.list(prefix)) : store.listAt(prefix, version);
      if (pastListing.isEmpty()) {
        throw StatusException.expiredList(encodeToken(-1, startKey));
      }
      listing = pastListing.get();
    } else {
      listing = readListing(store, type, prefix, query);
    }
    boolean isNarrowed =
        !query.getText("labelSelector").isEmpty() || !query.getText("fieldSelector").isEmpty();
    boolean isFromCache = query.getText("resourceVersion").equals("0") && isCached(type);
    String exactName = query.findExactName();
    boolean isSingleObject = !exactName.isEmpty() && (!type.namespaced() || !namespace.isEmpty());
    return cutPage(
        listing, selector, startKey, isFromCache || isSingleObject ? 0 : limit, isNarrowed);
  }

  private static Store.ObjectListing readListing(
      Store store, ResourceType type, String prefix, QueryParameters query)
      throws StatusException, InterruptedException {
    long version = query.getListVersion();
    awaitVersion(store, type, version);
    boolean isExact =
        query.getText("resourceVersionMatch").equals("Exact")
            || (version > 0
                && query.getNumber("limit", 0) > 0
                && query.getText("resourceVersionMatch").isEmpty());
    if (!isExact) {
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
      Predicate<JsonObject> selector,
      String startKey,
      long limit,
      boolean isNarrowed) {
    List<StoredObject> page = new ArrayList<>();
    // counts all remaining objects, because selectors are not evaluated for them
    long remaining = 0;
    for (StoredObject object : listing.objects()) {
      if (!startKey.isEmpty() && object.key().compareTo(startKey) <= 0) {
        continue;
      }
      if (limit > 0 && page.size() >= limit) {
        remaining++;
      } else if (selector.test(object.tree())) {
        page.add(object);
      }
    }
    JsonObject metadata = newObject("resourceVersion", Long.toString(listing.version()));
    if (remaining > 0) {
      metadata.addProperty("continue", encodeToken(listing.version(), page.getLast().key()));
      if (!isNarrowed) {
        metadata.addProperty("remainingItemCount", remaining);
      }
    }
    return new ListPage(page, metadata);
  }

  private static String encodeToken(long version, String lastKey) {
    JsonObject token = newObject("v", "meta.k8s.io/v1", "rv", version, "start", lastKey + "\0");
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject decodeToken(String token) throws StatusException {
    try {
      JsonObject decoded =
          JsonParser.parseString(
                  new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8))
              .getAsJsonObject();
      if (!JsonBodies.textAt(decoded, "v").equals("meta.k8s.io/v1")) {
        throw StatusException.badRequest(
            "invalid continue token: continue key is not valid: server does not recognize this encoded version "
                + JsonBodies.textAt(decoded, "v"));
      }
      requirePosition(decoded);
      return decoded;
    } catch (IllegalArgumentException | JsonSyntaxException | IllegalStateException e) {
      throw StatusException.badRequest(
          "invalid continue token: continue key is not valid: " + e.getMessage());
    }
  }

  private static void requirePosition(JsonObject token) throws StatusException {
    if (!JsonBodies.textAt(token, "rv").matches("-?\\d{1,18}")) {
      throw StatusException.badRequest(
          "invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
    }
    if (JsonBodies.textAt(token, "start").isEmpty()) {
      throw StatusException.badRequest(
          "invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)");
    }
  }

  static void checkWatch(QueryParameters query, boolean streamsLists) throws StatusException {
    FieldErrors errors = new FieldErrors();
    boolean isDefaultStream = streamsLists && isStreamedByDefault(query);
    String match = isDefaultStream ? "NotOlderThan" : query.getText("resourceVersionMatch");
    boolean sendsInitialEvents = isDefaultStream || query.has("sendInitialEvents");
    if (sendsInitialEvents && !match.equals("NotOlderThan")) {
      errors.addForbidden(
          "resourceVersionMatch",
          "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (sendsInitialEvents && !streamsLists) {
      errors.addForbidden(
          "sendInitialEvents",
          "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
    }
    if (!match.isEmpty()) {
      if (!sendsInitialEvents) {
        errors.addForbidden(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
      }
      if (!query.getText("continue").isEmpty()) {
        errors.addForbidden(
            "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
      }
      if (!match.equals("NotOlderThan")) {
        errors.addNotSupported("resourceVersionMatch", match, List.of("NotOlderThan"));
      }
    }
    refuseErrors(errors);
  }

  /**
   * Returns whether the watch starts with the present objects and a bookmark although the query
   * does not request that.
   */
  static boolean isStreamedByDefault(QueryParameters query) {
    return !query.has("sendInitialEvents")
        && query.getText("resourceVersionMatch").isEmpty()
        && List.of("", "0").contains(query.getText("resourceVersion"));
  }

  static void checkList(QueryParameters query) throws StatusException {
    FieldErrors errors = new FieldErrors();
    String match = query.getText("resourceVersionMatch");
    boolean hasVersion = !query.getText("resourceVersion").isEmpty();
    if (!match.isEmpty()) {
      if (!hasVersion) {
        errors.addForbidden(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden unless resourceVersion is provided");
      }
      if (!query.getText("continue").isEmpty()) {
        errors.addForbidden(
            "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
      }
      if (!match.equals("NotOlderThan") && !match.equals("Exact")) {
        errors.addNotSupported("resourceVersionMatch", match, List.of("Exact", "NotOlderThan", ""));
      }
      if (match.equals("Exact") && query.getText("resourceVersion").equals("0")) {
        errors.addForbidden(
            "resourceVersionMatch",
            "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
      }
    }
    if (query.has("sendInitialEvents")) {
      errors.addForbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
    }
    refuseErrors(errors);
  }

  private static void refuseErrors(FieldErrors errors) throws StatusException {
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "ListOptions", "", errors.getCauses());
    }
  }
}
