package dev.mooring.it.scenario;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.it.faults.FaultProxy.FaultedRequest;
import dev.mooring.it.faults.ProxiedRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Permitted differences between an end state and the recorded one after faults.
 *
 * <p>An event may be missing if its write failed, or if its object was written without a response:
 * the client then does not know of the write and emits nothing, as in Kubernetes. An event that
 * depends on a watch may be missing if that watch had a fault: a state that ends before the next
 * list is never seen. An event about a waiting claim may be missing if lists or watches of its
 * dependencies had faults and the claim no longer waits. A warning about a failed call may be added
 * if a call failed.
 *
 * <p>Two claims that fit one volume may swap it if a write that was to bind one of them had a
 * fault: the other may win, as in Kubernetes.
 *
 * @param recorded end state without faults
 * @param end actual end state
 * @param victims requests with faults
 */
record PermittedDifferences(JsonObject recorded, JsonObject end, List<FaultedRequest> victims) {
  /** Reasons of events about failed calls. */
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

  /** The resource whose watch alone reveals the state, by event reason and optional kind. */
  private static final Map<String, String> WATCHED_RESOURCES =
      Map.of(
          "FailedAttachVolume", "volumeattachments",
          "FailedDetachVolume", "volumeattachments",
          "Pod FailedBinding", "pods"); // the claim that blocked the pod is gone by then

  /** Resources that unblock claims. */
  private static final Set<String> UNBLOCKING =
      Set.of("persistentvolumes", "persistentvolumeclaims", "pods", "storageclasses", "nodes");

  private static final Set<String> WAITS = Set.of("FailedBinding", "WaitForFirstConsumer");

  /**
   * Returns whether a difference is permitted.
   *
   * @param difference as worded by {@link GoldenComparison}
   */
  boolean permits(String difference) {
    return difference.startsWith(".events.")
        ? permits(difference.substring(".events.".length()).split(" "), isMissing(difference))
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

  private boolean permits(String[] event, boolean isMissing) {
    String kind = event[0].substring(0, event[0].indexOf('/'));
    String name = event[0].substring(event[0].indexOf('/') + 1);
    String reason = event[2].replace(":", "");
    return isMissing
        ? victims.stream()
            .anyMatch(v ->
                isEventAbout(v.request(), name, reason)
                    || hidesEvent(v.request(), reason)
                    || hidesEvent(v.request(), kind + " " + reason)
                    || v.fault().isExecutedWithoutResponse() && writes(v.request(), name)
                    || delaysEvent(v.request(), name, reason))
        : event[1].equals("Warning")
            && CALL_FAILED.contains(reason)
            && victims.stream().anyMatch(v -> !isEvent(v.request()) && !v.request().isWatch());
  }

  private static boolean isEvent(ProxiedRequest request) {
    return request.resource().equals("events");
  }

  private static boolean isEventAbout(ProxiedRequest request, String name, String reason) {
    String body = new String(request.body(), StandardCharsets.UTF_8);
    return isEvent(request) && body.contains('"' + name + '"') && body.contains('"' + reason + '"');
  }

  private static boolean hidesEvent(ProxiedRequest request, String event) {
    return request.isWatch() && request.resource().equals(WATCHED_RESOURCES.get(event));
  }

  /** Returns whether the state may be seen too late, after the claim's wait has ended. */
  private boolean delaysEvent(ProxiedRequest request, String claim, String reason) {
    return WAITS.contains(reason)
        && (request.isWatch() || request.isList())
        && UNBLOCKING.contains(request.resource())
        && objects(end, "persistentvolumeclaims").entrySet().stream()
            .filter(one -> one.getKey().endsWith("/" + claim))
            .anyMatch(one -> text(one.getValue(), "status", "phase").equals("Bound"));
  }

  private static boolean writes(ProxiedRequest request, String name) {
    return request.isWrite() && List.of(request.path().split("/")).contains(name);
  }

  /** An object whose end state differs if another claim won. */
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
