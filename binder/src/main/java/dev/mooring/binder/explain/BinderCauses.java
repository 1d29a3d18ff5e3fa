package dev.mooring.binder.explain;

import dev.mooring.binder.decide.ClassState;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.SilentReason;
import dev.mooring.binder.decide.VolumeState;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

final class BinderCauses {
  private BinderCauses() {}

  static Cause of(Reason reason) {
    return Cause.of(reason, rank(reason));
  }

  static Cause of(SilentReason reason) {
    return Cause.of(reason, rank(reason));
  }

  static Cause of(VolumeState reason) {
    return Cause.of(reason, rank(reason));
  }

  static Cause of(ClassState reason) {
    return Cause.of(reason, rank(reason));
  }

  private static CauseRank rank(ClassState reason) {
    return switch (reason) {
      case CLASS_SERVED, MADE_BY_HAND -> CauseRank.FINE;
      case DRIVER_ON_NO_NODE -> CauseRank.MISCONFIGURED;
      case PROVISIONER_STOPPED -> CauseRank.FAILING;
      case PROVISIONER_NOT_SEEN, CAPACITY_NOT_TOLD, CLASS_WITHOUT_ROOM -> CauseRank.WAITING;
    };
  }

  private static Stream<Cause> reported() {
    return Arrays.stream(Reason.values())
        .filter(reason -> reason != Reason.SILENT)
        .map(BinderCauses::of);
  }

  static List<Cause> ofVolumes() {
    return Stream.concat(
            Stream.concat(reported(), Stream.of(of(SilentReason.CANNOT_TELL))),
            Arrays.stream(VolumeState.values()).map(BinderCauses::of))
        .toList();
  }

  private static CauseRank rank(VolumeState reason) {
    return switch (reason) {
      case VOLUME_BOUND, AVAILABLE -> CauseRank.FINE;
      case PHASE_DUE, VOLUME_BINDING, UNBINDING, DELETING, RECYCLING -> CauseRank.WORKING;
      case RESERVED, RETAINED, DELETED_BY_OTHERS, DELETED_UNLESS_HELD -> CauseRank.WAITING;
      case FINALIZER_REFUSED -> CauseRank.FAILING;
      case RESERVED_UNFIT, FINALIZER_STAYS -> CauseRank.MISCONFIGURED;
    };
  }

  static List<Cause> ofClaims() {
    return Stream.concat(
            reported(),
            Arrays.stream(SilentReason.values())
                .filter(reason -> reason != SilentReason.BEING_DELETED)
                .map(BinderCauses::of))
        .toList();
  }

  private static CauseRank rank(SilentReason reason) {
    return switch (reason) {
      case BOUND -> CauseRank.FINE;
      case BINDING, TAKES_DEFAULT_CLASS, PROVISIONING -> CauseRank.WORKING;
      case MADE_UNFIT -> CauseRank.MISCONFIGURED;
      case NODE_WITHOUT_DRIVER, VOLUME_BEING_RECLAIMED, BEING_DELETED -> CauseRank.WAITING;
      case CANNOT_TELL -> CauseRank.UNKNOWN;
    };
  }

  private static CauseRank rank(Reason reason) {
    return switch (reason) {
      case VOLUME_MISSING,
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
          NO_RECYCLER,
          POLICY_UNKNOWN ->
          CauseRank.MISCONFIGURED;
      case WRITE_REFUSED,
          PLUGIN_FAILED,
          VOLUME_NOT_SAVED,
          CLEAN_UP_FAILED,
          DELETE_FAILED,
          RECYCLE_FAILED ->
          CauseRank.FAILING;
      case NO_VOLUME,
          VOLUME_BEING_DELETED,
          WAITS_FOR_CONSUMER,
          WAITS_FOR_SCHEDULING,
          NODE_GONE,
          NODE_MISSING,
          CLASS_IS_STATIC,
          EXTERNAL_PROVISIONER,
          DELETE_WAITS,
          RECYCLE_WAITS ->
          CauseRank.WAITING;
      case SILENT -> CauseRank.FINE;
    };
  }
}
