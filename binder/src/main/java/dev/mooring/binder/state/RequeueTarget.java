package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;

/** Requeues claims and volumes. Implementations return quickly and are thread-safe. */
public interface RequeueTarget {
  RequeueTarget NONE =
      new RequeueTarget() {
        @Override
        public void requeueClaim(ObjectKey claim) {}

        @Override
        public void requeueVolume(ObjectKey volume) {}
      };

  void requeueClaim(ObjectKey claim);

  /** Requeues a claim before its namespace's other claims, because it can be completed now. */
  default void requeueClaimFirst(ObjectKey claim) {
    requeueClaim(claim);
  }

  default void requeueClaimIfNotBackingOff(ObjectKey claim) {
    requeueClaim(claim);
  }

  void requeueVolume(ObjectKey volume);
}
