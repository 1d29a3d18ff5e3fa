package dev.mooring.binder.decide;

import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.List;

/** What becomes of a claim. */
public sealed interface ClaimDecision {
  /** Bind it to the volume, or finish a binding: only what differs is written. */
  record Bind(Volume volume) implements ClaimDecision {}

  /** Give it the default class and look again. */
  record TakeDefaultClass(String className) implements ClaimDecision {}

  /** A plugin of ours makes a volume. */
  record Provision(StorageClass storageClass, String plugin) implements ClaimDecision {}

  /** Somebody else makes a volume: mark the claim for them. */
  record HandOver(StorageClass storageClass, String provisioner) implements ClaimDecision {}

  /** It waits. */
  record Wait(Why why, String note, boolean setPending) implements ClaimDecision {}

  /** It has lost its volume. */
  record MarkLost(Why why, String note) implements ClaimDecision {}

  /**
   * Its state contradicts itself in a way that only others can mend: tell, change nothing, try
   * again.
   */
  record Contradiction(Why why, String note) implements ClaimDecision {}

  /** Why it is so, as the event's reason says it. */
  enum Why {
    NO_VOLUME("FailedBinding", false),
    VOLUME_MISSING("FailedBinding", true),
    VOLUME_TAKEN("FailedBinding", true),
    VOLUME_MISMATCH("VolumeMismatch", true),
    WAIT_FOR_CONSUMER("WaitForFirstConsumer", false),
    WAIT_FOR_SCHEDULING("WaitForPodScheduled", false),
    PROVISIONING_FAILED("ProvisioningFailed", true),
    PROVISIONING_OFF("FailedBinding", false),
    CLAIM_LOST("ClaimLost", true),
    CLAIM_MISBOUND("ClaimMisbound", true),
    /** Nothing to tell. */
    SILENT("", false);

    private final String reason;
    private final boolean warning;

    Why(String reason, boolean warning) {
      this.reason = reason;
      this.warning = warning;
    }

    /** The event's reason, "" for no event. */
    public String reason() {
      return reason;
    }

    /** Whether the event is a warning. */
    public boolean warning() {
      return warning;
    }

    /** All of them that are told. */
    public static List<Why> told() {
      return List.of(values()).subList(0, values().length - 1);
    }
  }
}
