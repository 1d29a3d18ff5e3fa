package dev.mooring.it.scenario;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.it.faults.FaultProxy.Victim;
import dev.mooring.it.faults.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where an end may differ from the recorded one because calls went wrong on the way.
 *
 * <p>In events: one may be missing whose writing went wrong, and one of an object that was written
 * without an answer: who does not know that it is written says nothing of it, as in Kubernetes. So
 * may one of what only a watch could have told, if that watch was struck: what is over before the
 * next list is never heard of; and that a claim waits, if lists or watches of what it waits for
 * were struck, and it waits no longer. A warning may be there that says that a call failed, if one
 * did.
 *
 * <p>And in who of two claims has a volume that both could have: where the write that was to give
 * it to one of them met a fault, the other one may have been quicker, as in Kubernetes.
 *
 * @param recorded how it ended without faults
 * @param end how it ended
 * @param victims what went wrong
 */
record Excused(JsonObject recorded, JsonObject end, List<Victim> victims) {
  /** What is told of an object when a call for it fails. */
  private static final Set<String> CALL_FAILED =
      Set.of(
          "FailedAttachVolume",
          "FailedDetachVolume",
          "FailedBinding",
          "ProvisioningFailed",
          "ProvisioningCleanupFailed",
          "VolumeFailedDelete",
          "VolumeFailedRecycle",
          "VolumeResizeFailed");

  /** The resource whose watch is the only one to tell of it, by reason, for some of one kind. */
  private static final Map<String, String> HEARD_OF_BY =
      Map.of(
          "FailedAttachVolume", "volumeattachments",
          "FailedDetachVolume", "volumeattachments",
          "Pod FailedBinding", "pods"); // the claim that was in its way is gone by then

  /** What claims wait for, and what has them made. */
  private static final Set<String> WAITED_FOR =
      Set.of("persistentvolumes", "persistentvolumeclaims", "pods", "storageclasses", "nodes");

  private static final Set<String> WAITS = Set.of("FailedBinding", "WaitForFirstConsumer");

  /**
   * Whether that difference is.
   *
   * @param difference as {@link Golden} tells it
   */
  boolean covers(String difference) {
    return difference.startsWith(".events.")
        ? covers(difference.substring(".events.".length()).split(" "), isMissing(difference))
            || contenders().stream()
                .anyMatch(contender -> isOf(difference, ".events." + contender.event()))
        : contenders().stream().anyMatch(contender -> isOf(difference, contender.place()));
  }

  private static boolean isMissing(String difference) {
    return difference.endsWith("absent");
  }

  private static boolean isOf(String difference, String place) {
    return Stream.of(".", " ", ":").anyMatch(next -> difference.startsWith(place + next));
  }

  /** Of an event that says that: an object, a type and a reason. */
  private boolean covers(String[] event, boolean isMissing) {
    String kind = event[0].substring(0, event[0].indexOf('/'));
    String name = event[0].substring(event[0].indexOf('/') + 1);
    String reason = event[2].replace(":", "");
    return isMissing
        ? victims.stream()
            .anyMatch(v ->
                tells(v.request(), name, reason)
                    || keepsFromHearing(v.request(), reason)
                    || keepsFromHearing(v.request(), kind + " " + reason)
                    || v.fault().isDoneWithoutAnswer() && writes(v.request(), name)
                    || delays(v.request(), name, reason))
        : event[1].equals("Warning")
            && CALL_FAILED.contains(reason)
            && victims.stream().anyMatch(v -> !isEvent(v.request()) && !v.request().isWatch());
  }

  private static boolean isEvent(Request request) {
    return request.resource().equals("events");
  }

  private static boolean tells(Request request, String name, String reason) {
    String body = new String(request.body(), StandardCharsets.UTF_8);
    return isEvent(request) && body.contains('"' + name + '"') && body.contains('"' + reason + '"');
  }

  private static boolean keepsFromHearing(Request request, String event) {
    return request.isWatch() && request.resource().equals(HEARD_OF_BY.get(event));
  }

  /** Whether it is heard of so late that it waits no longer. */
  private boolean delays(Request request, String claim, String reason) {
    return WAITS.contains(reason)
        && (request.isWatch() || request.isList())
        && WAITED_FOR.contains(request.resource())
        && objects(end, "persistentvolumeclaims").entrySet().stream()
            .filter(one -> one.getKey().endsWith("/" + claim))
            .anyMatch(one -> text(one.getValue(), "status", "phase").equals("Bound"));
  }

  private static boolean writes(Request request, String name) {
    return request.isWrite() && List.of(request.path().split("/")).contains(name);
  }

  /** An object that ends otherwise if another claim was quicker. */
  private record Contender(String place, String event) {
    private static Contender claim(String key) {
      return new Contender(
          ".persistentvolumeclaims." + key,
          "PersistentVolumeClaim/" + key.substring(key.indexOf('/') + 1));
    }

    private static Contender volume(String name) {
      return new Contender(".persistentvolumes." + name, "PersistentVolume/" + name);
    }
  }

  private List<Contender> contenders() {
    JsonObject volumes = objects(recorded, "persistentvolumes");
    JsonObject now = objects(end, "persistentvolumes");
    return volumes.keySet().stream()
        .filter(now::has)
        .filter(name -> victims.stream().anyMatch(v -> writes(v.request(), name)))
        .flatMap(name -> {
          String had = holder(volumes.get(name));
          String has = holder(now.get(name));
          return had.isEmpty() || had.equals(has) || !hasIt(has, name)
              ? Stream.empty()
              : Stream.of(Contender.volume(name), Contender.claim(had), Contender.claim(has));
        })
        .toList();
  }

  private boolean hasIt(String claim, String volume) {
    return objects(end, "persistentvolumeclaims").get(claim) instanceof JsonObject found
        && text(found, "spec", "volumeName").equals(volume)
        && text(found, "status", "phase").equals("Bound");
  }

  private static String holder(JsonElement volume) {
    String name = text(volume, "spec", "claimRef", "name");
    return name.isEmpty() ? "" : text(volume, "spec", "claimRef", "namespace") + "/" + name;
  }

  private static JsonObject objects(JsonObject state, String kind) {
    return state.get(kind) instanceof JsonObject all ? all : new JsonObject();
  }

  private static String text(JsonElement object, String... path) {
    JsonElement at = object;
    for (String member : path) {
      at = at instanceof JsonObject members ? members.get(member) : null;
    }
    return at instanceof JsonPrimitive value ? value.getAsString() : "";
  }
}
