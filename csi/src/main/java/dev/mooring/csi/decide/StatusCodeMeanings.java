package dev.mooring.csi.decide;

import static dev.mooring.csi.decide.StatusCodeMeanings.Effect.MAYBE;
import static dev.mooring.csi.decide.StatusCodeMeanings.Effect.NEVER;
import static dev.mooring.csi.decide.StatusCodeMeanings.Effect.NOT_BY_THIS_CALL;
import static dev.mooring.csi.decide.StatusCodeMeanings.Retry.BACK_OFF;
import static dev.mooring.csi.decide.StatusCodeMeanings.Retry.ELSEWHERE;
import static dev.mooring.csi.decide.StatusCodeMeanings.Retry.PERIODICALLY;
import static dev.mooring.csi.decide.StatusCodeMeanings.Retry.SLOWLY;

import dev.mooring.spi.csi.StatusCode;

/**
 * Meaning of a gRPC status code for each CSI call: whether the driver may still be working, and
 * when the call is retried. Follows the CSI specification's error tables; where these are silent,
 * the sidecars. {@code docs/csi-reference.md} has the same table.
 */
public final class StatusCodeMeanings {
  public enum Call {
    CREATE_VOLUME("CreateVolume"),
    DELETE_VOLUME("DeleteVolume"),
    PUBLISH("ControllerPublishVolume"),
    UNPUBLISH("ControllerUnpublishVolume"),
    EXPAND("ControllerExpandVolume"),
    MODIFY("ControllerModifyVolume"),
    LIST_VOLUMES("ListVolumes"),
    GET_CAPACITY("GetCapacity"),
    CREATE_SNAPSHOT("CreateSnapshot"),
    DELETE_SNAPSHOT("DeleteSnapshot"),
    LIST_SNAPSHOTS("ListSnapshots"),
    CREATE_GROUP_SNAPSHOT("CreateVolumeGroupSnapshot"),
    DELETE_GROUP_SNAPSHOT("DeleteVolumeGroupSnapshot"),
    GET_GROUP_SNAPSHOT("GetVolumeGroupSnapshot");

    private final String method;

    Call(String method) {
      this.method = method;
    }

    public String method() {
      return method;
    }
  }

  public enum Effect {
    // The call may be running or may have succeeded. Repeat the same request.
    MAYBE,
    // This call has had no effect. The outcome of an earlier call remains unknown.
    NOT_BY_THIS_CALL,
    // This call has had no effect, and neither has any equal call. If no earlier outcome is
    // unknown, nothing exists. Drivers check capacity and sources before they look for an existing
    // volume, so the code does not settle earlier doubts about a volume.
    NEVER
  }

  public enum Retry {
    // After the key's back-off.
    BACK_OFF,
    // Immediately if the scheduler can choose another node, else after the back-off.
    ELSEWHERE,
    // After the maximum back-off: the request cannot succeed unchanged.
    SLOWLY,
    // At the next periodic call: no object waits for the answer.
    PERIODICALLY
  }

  public record Meaning(Effect effect, Retry retry) {
    // Reports whether the call is certainly not running.
    public boolean isFinal() {
      return effect != MAYBE;
    }
  }

  private StatusCodeMeanings() {}

  public static Meaning of(Call call, StatusCode code) {
    return switch (call) {
      case CREATE_VOLUME -> createMeaning(code);
      case EXPAND -> expandMeaning(code);
      case MODIFY -> modifyMeaning(code);
      case CREATE_SNAPSHOT, CREATE_GROUP_SNAPSHOT -> snapshotMeaning(code);
      case DELETE_VOLUME, PUBLISH, UNPUBLISH, DELETE_SNAPSHOT, DELETE_GROUP_SNAPSHOT ->
          new Meaning(defaultEffect(code), BACK_OFF);
      case LIST_SNAPSHOTS, GET_GROUP_SNAPSHOT -> new Meaning(NEVER, BACK_OFF); // read-only calls
      case LIST_VOLUMES, GET_CAPACITY -> new Meaning(NEVER, PERIODICALLY); // read-only calls
    };
  }

  // Reports whether an identical read-only call may succeed a little later.
  public static boolean isTemporary(StatusCode code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE -> true;
      default -> false;
    };
  }

  private static Meaning createMeaning(StatusCode code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> new Meaning(MAYBE, BACK_OFF);
      case INVALID_ARGUMENT -> new Meaning(NEVER, SLOWLY);
      case RESOURCE_EXHAUSTED -> new Meaning(NEVER, ELSEWHERE);
      case NOT_FOUND, OUT_OF_RANGE, UNIMPLEMENTED -> new Meaning(NEVER, BACK_OFF);
      // drivers may return the others before they look for an existing volume; ALREADY_EXISTS may
      // be about a volume of an earlier call
      default -> new Meaning(NOT_BY_THIS_CALL, BACK_OFF);
    };
  }

  private static Meaning snapshotMeaning(StatusCode code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> new Meaning(MAYBE, BACK_OFF);
      case INVALID_ARGUMENT -> new Meaning(NEVER, SLOWLY);
      case UNIMPLEMENTED -> new Meaning(NEVER, BACK_OFF);
      // also NOT_FOUND and RESOURCE_EXHAUSTED: the source volume may be missing, or the storage may
      // limit the requests, while the snapshot exists
      default -> new Meaning(NOT_BY_THIS_CALL, BACK_OFF);
    };
  }

  private static Meaning expandMeaning(StatusCode code) {
    return switch (code) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND -> new Meaning(NOT_BY_THIS_CALL, SLOWLY);
      default -> new Meaning(defaultEffect(code), BACK_OFF);
    };
  }

  private static Meaning modifyMeaning(StatusCode code) {
    return code == StatusCode.INVALID_ARGUMENT
        ? new Meaning(NOT_BY_THIS_CALL, SLOWLY)
        : new Meaning(defaultEffect(code), BACK_OFF);
  }

  // For these calls the sidecars treat lack of resources as temporary.
  private static Effect defaultEffect(StatusCode code) {
    return isTemporary(code) ? MAYBE : NOT_BY_THIS_CALL;
  }
}
