package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;

/** Requeues claims and volumes. Implementations return quickly and are thread-safe. */
public interface RequeueTarget {
  RequeueTarget NONE =
      new RequeueTarget() {
        @Override
        public void claim(ObjectKey claim) {}

        @Override
        public void volume(ObjectKey volume) {}
      };

  void claim(ObjectKey claim);

  /** Requeues a claim before its namespace's other claims, because it can be completed now. */
  default void claimExpedited(ObjectKey claim) {
    claim(claim);
  }

  default void claimIfNotBackingOff(ObjectKey claim) {
    claim(claim);
  }

  void volume(ObjectKey volume);
}
