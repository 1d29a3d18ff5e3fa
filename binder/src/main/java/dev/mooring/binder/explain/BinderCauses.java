package dev.mooring.binder.explain;

import dev.mooring.binder.decide.Reason;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** Ranks of the binder's reasons, and the reasons of each kind of object. */
final class BinderCauses {
  private BinderCauses() {}

  static Cause of(Reason reason) {
    return Cause.of(reason, rank(reason));
  }

  static List<Cause> ofClaims() {
    return toCauses(reported(), EnumSet.range(Reason.BOUND, Reason.OBJECTS_UNREADABLE).stream());
  }

  static List<Cause> ofVolumes() {
    return toCauses(
        reported(), EnumSet.range(Reason.OBJECTS_UNREADABLE, Reason.RECYCLING).stream());
  }

  static List<Cause> ofClasses() {
    return toCauses(
        EnumSet.range(Reason.CLASS_SERVED, Reason.CLASS_WITHOUT_ROOM).stream(),
        Stream.of(Reason.PROVISIONER_UNKNOWN));
  }

  private static Stream<Reason> reported() {
    return Arrays.stream(Reason.values()).filter(Reason::hasEvent);
  }

  private static List<Cause> toCauses(Stream<Reason> reasons, Stream<Reason> moreReasons) {
    return Stream.concat(reasons, moreReasons).map(BinderCauses::of).toList();
  }

  private static CauseRank rank(Reason reason) {
    return switch (reason) {
      case DRIVER_ON_NO_NODE,
          RESERVED_UNFIT,
          FINALIZER_STAYS,
          PROVISIONED_UNFIT,
          VOLUME_MISSING,
          VOLUME_TAKEN,
          TOO_SMALL,
          CLASS_DIFFERS,
          ATTRIBUTES_CLASS_DIFFERS,
          VOLUME_MODE_DIFFERS,
          ACCESS_MODES_DIFFER,
          NO_LONGER_FITS,
          CLASS_MISSING,
          PROVISIONER_UNKNOWN,
          PROVISIONING_OFF,
          DATA_SOURCE_UNSUPPORTED,
          PLUGIN_REFUSED,
          VOLUME_NAME_TAKEN,
          REFERENCE_LOST,
          VOLUME_LOST,
          MISBOUND,
          CLAIM_UID_DIFFERS,
          NO_DELETER,
          DELETIONS_HELD,
          NEVER_BOUND,
          TWIN_EXISTS,
          DELETION_INTERRUPTED,
          DELAY_UNREADABLE,
          NO_RECYCLER,
          POLICY_UNKNOWN ->
          CauseRank.MISCONFIGURED;
      case PROVISIONER_STOPPED,
          FINALIZER_REFUSED,
          WRITE_REFUSED,
          PLUGIN_FAILED,
          VOLUME_NOT_SAVED,
          CLEAN_UP_FAILED,
          DELETE_FAILED,
          RECYCLE_FAILED ->
          CauseRank.FAILING;
      case PROVISIONER_NOT_SEEN,
          CAPACITY_UNPUBLISHED,
          CLASS_WITHOUT_ROOM,
          RESERVED,
          RETAINED,
          DELETED_BY_OTHERS,
          DELETED_UNLESS_HELD,
          NODE_WITHOUT_DRIVER,
          VOLUME_BEING_RECLAIMED,
          BEING_DELETED,
          NO_VOLUME,
          VOLUME_BEING_DELETED,
          WAITS_FOR_CONSUMER,
          WAITS_FOR_SCHEDULING,
          NODE_GONE,
          NODE_MISSING,
          CLASS_IS_STATIC,
          EXTERNAL_PROVISIONER,
          DELETE_WAITS,
          CONDEMNED,
          RECYCLE_WAITS ->
          CauseRank.WAITING;
      case PHASE_DUE,
          VOLUME_BINDING,
          UNBINDING,
          DELETING,
          RECYCLING,
          BINDING,
          TAKES_DEFAULT_CLASS,
          PROVISIONING ->
          CauseRank.WORKING;
      case OBJECTS_UNREADABLE -> CauseRank.UNKNOWN;
      case CLASS_SERVED, CREATED_MANUALLY, VOLUME_BOUND, AVAILABLE, BOUND, SILENT -> CauseRank.FINE;
    };
  }
}
