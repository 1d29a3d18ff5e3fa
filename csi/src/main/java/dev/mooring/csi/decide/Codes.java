package dev.mooring.csi.decide;

import static dev.mooring.csi.decide.Codes.Begun.MAYBE;
import static dev.mooring.csi.decide.Codes.Begun.NEVER;
import static dev.mooring.csi.decide.Codes.Begun.NOT_BY_THIS_CALL;
import static dev.mooring.csi.decide.Codes.Next.AT_REST;
import static dev.mooring.csi.decide.Codes.Next.BACK_OFF;
import static dev.mooring.csi.decide.Codes.Next.ELSEWHERE;
import static dev.mooring.csi.decide.Codes.Next.SLOWLY;

import dev.mooring.spi.csi.StatusCode;

/**
 * What a driver's code says about a call: whether the driver may still be at it, and when it is
 * asked again. Row by row from the CSI specification (its general error scheme and the errors of
 * each call), and where that is silent from the sidecars. {@code docs/csi-reference.md} has the
 * same table.
 */
public final class Codes {
  /** What the driver is asked to do. */
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

    /** As the specification calls it. */
    public String method() {
      return method;
    }
  }

  /** What the driver may have begun. */
  public enum Begun {
    /** It may still be at it, or may have done it: the same has to be asked again. */
    MAYBE,
    /** Nothing by this call; what an earlier one came to, the code does not tell. */
    NOT_BY_THIS_CALL,
    /**
     * Nothing by this call, and by none like it. If no earlier call's outcome is unknown, nothing
     * is there. Drivers check capacity and sources before they look for what is there already, so
     * that the code settles no doubt about a volume.
     */
    NEVER
  }

  /** When the driver is asked again. */
  public enum Next {
    /** After the key's back-off. */
    BACK_OFF,
    /** At once if the scheduler can choose another node, else after the back-off. */
    ELSEWHERE,
    /** After the longest back-off: the request as it is cannot be met. */
    SLOWLY,
    /** When its turn comes: nobody waits for it. */
    AT_REST
  }

  /**
   * What a code means.
   *
   * @param begun what may have been begun
   * @param next when the driver is asked again
   */
  public record Meaning(Begun begun, Next next) {
    /** Whether the call is certainly not running any more. */
    public boolean isFinal() {
      return begun != MAYBE;
    }
  }

  private Codes() {}

  /**
   * What the code means as the answer to that call.
   *
   * @param code any but {@link StatusCode#OK}
   */
  public static Meaning of(Call call, StatusCode code) {
    return switch (call) {
      case CREATE_VOLUME -> create(code);
      case EXPAND -> expand(code);
      case MODIFY -> modify(code);
      case CREATE_SNAPSHOT, CREATE_GROUP_SNAPSHOT -> snapshot(code);
      case DELETE_VOLUME, PUBLISH, UNPUBLISH, DELETE_SNAPSHOT, DELETE_GROUP_SNAPSHOT ->
          new Meaning(others(code), BACK_OFF);
      case LIST_SNAPSHOTS, GET_GROUP_SNAPSHOT ->
          new Meaning(NEVER, BACK_OFF); // they change nothing
      case LIST_VOLUMES, GET_CAPACITY -> new Meaning(NEVER, AT_REST); // they change nothing
    };
  }

  /** Whether what was only asked about may well be answered a little later. */
  public static boolean isForNow(StatusCode code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE -> true;
      case OK,
          UNKNOWN,
          INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE,
          UNIMPLEMENTED,
          INTERNAL,
          DATA_LOSS,
          UNAUTHENTICATED ->
          false;
    };
  }

  private static Meaning create(StatusCode code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> new Meaning(MAYBE, BACK_OFF);
      case INVALID_ARGUMENT -> new Meaning(NEVER, SLOWLY);
      case RESOURCE_EXHAUSTED -> new Meaning(NEVER, ELSEWHERE);
      case NOT_FOUND, OUT_OF_RANGE, UNIMPLEMENTED -> new Meaning(NEVER, BACK_OFF);
      // asked before the volume is looked for, or whatever it was
      case UNKNOWN,
          PERMISSION_DENIED,
          FAILED_PRECONDITION,
          INTERNAL,
          DATA_LOSS,
          UNAUTHENTICATED,
          ALREADY_EXISTS, // something is there: perhaps what an earlier call made
          OK ->
          new Meaning(NOT_BY_THIS_CALL, BACK_OFF);
    };
  }

  private static Meaning snapshot(StatusCode code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> new Meaning(MAYBE, BACK_OFF);
      case INVALID_ARGUMENT -> new Meaning(NEVER, SLOWLY);
      case RESOURCE_EXHAUSTED, UNIMPLEMENTED -> new Meaning(NEVER, BACK_OFF);
      case UNKNOWN,
          NOT_FOUND, // the volume may be gone; what was cut of it is not
          PERMISSION_DENIED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE,
          INTERNAL,
          DATA_LOSS,
          UNAUTHENTICATED,
          ALREADY_EXISTS,
          OK ->
          new Meaning(NOT_BY_THIS_CALL, BACK_OFF);
    };
  }

  private static Meaning expand(StatusCode code) {
    return switch (code) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND -> new Meaning(NOT_BY_THIS_CALL, SLOWLY);
      default -> new Meaning(others(code), BACK_OFF);
    };
  }

  private static Meaning modify(StatusCode code) {
    return code == StatusCode.INVALID_ARGUMENT
        ? new Meaning(NOT_BY_THIS_CALL, SLOWLY)
        : new Meaning(others(code), BACK_OFF);
  }

  /** There the sidecars take a lack of resources for one of the moment, met on the way. */
  private static Begun others(StatusCode code) {
    return isForNow(code) ? MAYBE : NOT_BY_THIS_CALL;
  }
}
