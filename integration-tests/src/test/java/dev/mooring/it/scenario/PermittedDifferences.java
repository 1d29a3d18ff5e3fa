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
 * <p>An event may be missing if its write failed, or if its object was written without a response.
 * As in Kubernetes, the client then emits nothing. An event that depends on a watch may be missing
 * if that watch had a fault and the state ended before the next list. An event about a waiting
 * claim may be missing if lists or watches of its dependencies had faults and the claim no longer
 * waits. A warning about a failed call may be added if a call failed.
 *
 * <p>If two claims fit one volume and a write for the binding had a fault, the other claim may get
 * the volume, as in Kubernetes.
 *
 * @param recordedState end state without faults
 * @param endState actual end state
 * @param faultedRequests requests with faults
 */
record PermittedDifferences(
    JsonObject recordedState, JsonObject endState, List<FaultedRequest> faultedRequests) {
  /** Reasons of events about failed calls. */
  private static final Set<String> CALL_FAILURE_REASONS =
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
          "Pod FailedBinding", "pods"); // the claim that blocked the pod is deleted meanwhile

  /** Resources that unblock claims. */
  private static final Set<String> UNBLOCKING_RESOURCES =
      Set.of("persistentvolumes", "persistentvolumeclaims", "pods", "storageclasses", "nodes");

  private static final Set<String> WAITING_REASONS =
      Set.of("FailedBinding", "WaitForFirstConsumer");

  /**
   * Returns whether a difference is permitted.
   *
   * @param difference as worded by {@link GoldenComparison}
   */
  boolean isPermitted(String difference) {
    return difference.startsWith(".events.")
        ? isPermitted(difference.substring(".events.".length()).split(" "), isMissing(difference))
            || contenders().stream()
                .anyMatch(contender -> isAbout(difference, ".events." + contender.event()))
        : contenders().stream().anyMatch(contender -> isAbout(difference, contender.path()));
  }

  private static boolean isMissing(String difference) {
    return difference.endsWith("absent");
  }

  private static boolean isAbout(String difference, String path) {
    return Stream.of(".", " ", ":").anyMatch(next -> difference.startsWith(path + next));
  }

  private boolean isPermitted(String[] event, boolean isMissing) {
    String kind = event[0].substring(0, event[0].indexOf('/'));
    String name = event[0].substring(event[0].indexOf('/') + 1);
    String reason = event[2].replace(":", "");
    return isMissing
        ? faultedRequests.stream()
            .anyMatch(faultedRequest ->
                isEventAbout(faultedRequest.request(), name, reason)
                    || hidesEvent(faultedRequest.request(), reason)
                    || hidesEvent(faultedRequest.request(), kind + " " + reason)
                    || faultedRequest.fault().isExecutedWithoutResponse()
                        && writes(faultedRequest.request(), name)
                    || delaysEvent(faultedRequest.request(), name, reason))
        : event[1].equals("Warning")
            && CALL_FAILURE_REASONS.contains(reason)
            && faultedRequests.stream()
                .anyMatch(faultedRequest ->
                    !isEvent(faultedRequest.request()) && !faultedRequest.request().isWatch());
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

  /** Returns whether the fault may delay the event until the claim no longer waits. */
  private boolean delaysEvent(ProxiedRequest request, String claim, String reason) {
    return WAITING_REASONS.contains(reason)
        && (request.isWatch() || request.isList())
        && UNBLOCKING_RESOURCES.contains(request.resource())
        && section(endState, "persistentvolumeclaims").entrySet().stream()
            .filter(entry -> entry.getKey().endsWith("/" + claim))
            .anyMatch(entry -> text(entry.getValue(), "status", "phase").equals("Bound"));
  }

  private static boolean writes(ProxiedRequest request, String name) {
    return request.isWrite() && List.of(request.path().split("/")).contains(name);
  }

  /** An object whose end state differs if another claim got the volume. */
  private record Contender(String path, String event) {
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
    JsonObject recordedVolumes = section(recordedState, "persistentvolumes");
    JsonObject currentVolumes = section(endState, "persistentvolumes");
    return recordedVolumes.keySet().stream()
        .filter(currentVolumes::has)
        .filter(name ->
            faultedRequests.stream()
                .anyMatch(faultedRequest -> writes(faultedRequest.request(), name)))
        .flatMap(name -> {
          String recordedClaim = claimKey(recordedVolumes.get(name));
          String currentClaim = claimKey(currentVolumes.get(name));
          return recordedClaim.isEmpty()
                  || recordedClaim.equals(currentClaim)
                  || !isBoundTo(currentClaim, name)
              ? Stream.empty()
              : Stream.of(
                  Contender.volume(name),
                  Contender.claim(recordedClaim),
                  Contender.claim(currentClaim));
        })
        .toList();
  }

  private boolean isBoundTo(String claim, String volume) {
    return section(endState, "persistentvolumeclaims").get(claim) instanceof JsonObject claimObject
        && text(claimObject, "spec", "volumeName").equals(volume)
        && text(claimObject, "status", "phase").equals("Bound");
  }

  private static String claimKey(JsonElement volume) {
    String name = text(volume, "spec", "claimRef", "name");
    return name.isEmpty() ? "" : text(volume, "spec", "claimRef", "namespace") + "/" + name;
  }

  private static JsonObject section(JsonObject state, String kind) {
    return state.get(kind) instanceof JsonObject sectionObject ? sectionObject : new JsonObject();
  }

  private static String text(JsonElement object, String... path) {
    JsonElement element = object;
    for (String member : path) {
      element = element instanceof JsonObject members ? members.get(member) : null;
    }
    return element instanceof JsonPrimitive value ? value.getAsString() : "";
  }
}
