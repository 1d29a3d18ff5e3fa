package dev.mooring.it.scenario;

import dev.mooring.it.faults.FaultProxy.Victim;
import dev.mooring.it.faults.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where an end may differ from the recorded one because calls went wrong on the way: in events, and
 * in nothing else. An event may be missing whose writing went wrong, and one of an object that was
 * written without an answer: who does not know that it is written says nothing of it, as in
 * Kubernetes. So may one of what only a watch could have told, if that watch was struck: what is
 * over before the next list is never heard of. A warning may be there that says that a call failed,
 * if one did.
 */
final class Excused {
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

  /** The resource whose watch is the only one to tell of it. */
  private static final Map<String, String> HEARD_OF_BY =
      Map.of("FailedAttachVolume", "volumeattachments", "FailedDetachVolume", "volumeattachments");

  private Excused() {}

  /**
   * Whether that difference is excused by what went wrong.
   *
   * @param difference as {@link Golden} tells it
   * @param victims what went wrong
   */
  static boolean is(String difference, List<Victim> victims) {
    if (!difference.startsWith(".events.")) {
      return false;
    }
    String event = difference.substring(".events.".length(), difference.indexOf(": "));
    String[] parts = event.split(" ");
    String name = parts[0].substring(parts[0].indexOf('/') + 1);
    return difference.endsWith("absent")
        ? victims.stream()
            .anyMatch(v ->
                tells(v.request(), name, parts[2])
                    || keepsFromHearing(v.request(), parts[2])
                    || v.fault().isDoneWithoutAnswer() && writes(v.request(), name))
        : parts[1].equals("Warning")
            && CALL_FAILED.contains(parts[2])
            && victims.stream().anyMatch(v -> !isEvent(v.request()) && !v.request().isWatch());
  }

  private static boolean isEvent(Request request) {
    return request.resource().equals("events");
  }

  private static boolean tells(Request request, String name, String reason) {
    String body = new String(request.body(), StandardCharsets.UTF_8);
    return isEvent(request) && body.contains('"' + name + '"') && body.contains('"' + reason + '"');
  }

  private static boolean keepsFromHearing(Request request, String reason) {
    return request.isWatch() && request.resource().equals(HEARD_OF_BY.get(reason));
  }

  private static boolean writes(Request request, String name) {
    return request.isWrite() && List.of(request.path().split("/")).contains(name);
  }
}
