package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;

/** Tells claims what is done for them, in the sidecars' words. Thread-safe. */
public final class Narrator {
  private final EventSink events;

  /** Tells there. */
  public Narrator(EventSink events) {
    this.events = events;
  }

  void leftToPopulator(Claim claim, String note) {
    events.tell(
        new ClusterEvent(
            Kind.CLAIM,
            claim.meta(),
            ClusterEvent.Type.NORMAL,
            "Provisioning",
            "Provisioning",
            note,
            "external-provisioner"));
  }
}
