package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import java.util.List;

/** What may be next for a snapshot and for a group alike. */
public sealed interface CommonStep extends SnapshotStep, GroupStep {
  /** Nothing, until something changes. */
  record Rest() implements CommonStep {}

  /**
   * It cannot be had as it is: its status and an event say so, once.
   *
   * @param reason the event's
   * @param message for people
   * @param notReady whether it is not ready any more because of that
   */
  record Report(String reason, String message, boolean notReady) implements CommonStep {}

  /** It gets the default class. */
  record SetClass(String className) implements CommonStep {}

  /** It gets these finalizers, all that it is to have. */
  record SetFinalizers(List<String> finalizers) implements CommonStep {}

  /** Its claim, or one of them, is held until it is made. */
  record HoldClaim(Claim claim) implements CommonStep {}

  /** It cannot go yet; an event says why. */
  record Wait(String reason, String message) implements CommonStep {}

  /** Nothing. */
  CommonStep REST = new Rest();
}
