package dev.mooring.storage;

import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.VolumeOrigin;
import java.time.Duration;

/**
 * Retries of creating a provisioned volume's object.
 *
 * @param attempts maximum number of attempts; {@link #UNLIMITED_ATTEMPTS} for no limit
 * @param pause pause after the first attempt; doubles after each
 * @param longestPause longest pause
 * @param refusal treatment of a rejection
 * @param recordsCreationTime whether the object records its creation time ({@link
 *     VolumeOrigin#MADE_AT})
 */
public record SavePolicy(
    int attempts,
    Duration pause,
    Duration longestPause,
    Refusal refusal,
    boolean recordsCreationTime) {
  public static final int UNLIMITED_ATTEMPTS = Integer.MAX_VALUE;

  public enum Refusal {
    /** Retries, because a quota or a webhook may accept a later attempt. */
    TRIED_AGAIN,
    FINAL
  }

  /** Policy of kube-controller-manager for its in-tree plugins. */
  public static final SavePolicy KUBERNETES = fewAttempts(false);

  public static final SavePolicy FEW_ATTEMPTS = fewAttempts(true);

  /**
   * Policy of external-provisioner: retries without a limit, unless the server rejects the object.
   */
  public static final SavePolicy UNTIL_REFUSED =
      new SavePolicy(
          UNLIMITED_ATTEMPTS,
          Duration.ofSeconds(1),
          Outcome.UNANSWERED_LONGEST,
          Refusal.FINAL,
          true);

  private static SavePolicy fewAttempts(boolean recordsCreationTime) {
    Duration pause = Duration.ofSeconds(10);
    return new SavePolicy(5, pause, pause, Refusal.TRIED_AGAIN, recordsCreationTime);
  }

  Duration after(Duration last) {
    Duration twice = last.multipliedBy(2);
    return twice.compareTo(longestPause) > 0 ? longestPause : twice;
  }
}
