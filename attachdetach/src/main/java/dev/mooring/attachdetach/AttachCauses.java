package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachReason;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import java.util.Arrays;
import java.util.List;

final class AttachCauses {
  private AttachCauses() {}

  static Cause of(AttachReason why) {
    return Cause.of(why, rank(why));
  }

  static List<Cause> all() {
    return Arrays.stream(AttachReason.values()).map(AttachCauses::of).toList();
  }

  private static CauseRank rank(AttachReason why) {
    return switch (why) {
      case CLAIM_ABSENT,
          NO_NODE_FOR_VOLUMES,
          DRIVER_ABSENT,
          ATTACH_NOT_NEEDED,
          VOLUME_OBJECT_ABSENT ->
          CauseRank.MISCONFIGURED;
      case ATTACH_FAILED, DETACH_FAILED -> CauseRank.FAILING;
      case MULTI_ATTACH,
          CLAIM_OF_ONE_POD,
          NEEDED_ELSEWHERE,
          DRIVER_NOT_ON_NODE,
          POD_REMAINS,
          UNMOUNT_AWAITED,
          FORCE_AWAITED,
          ATTACHMENT_HELD,
          ATTACHED_BY_OTHERS,
          NODE_FULL,
          NODE_OBJECT_ABSENT ->
          CauseRank.WAITING;
      case ATTACHING, DETACH_DUE, DETACHING -> CauseRank.WORKING;
      case VOLUMES_READY, ATTACHED, NODE_SETTLED, LEFT_TO_KUBELET -> CauseRank.FINE;
    };
  }
}
