package dev.mooring.storage;

import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.time.DoublingDelay;
import java.time.Duration;

/**
 * Retries of creating a provisioned volume's object.
 *
 * @param attempts maximum number of attempts; {@link #UNLIMITED_ATTEMPTS} for no limit
 * @param backoff pauses between attempts
 * @param refusal treatment of a rejection
 * @param recordsCreationTime whether the object records its creation time ({@link
 *     VolumeOrigin#MADE_AT})
 */
public record SavePolicy(
    int attempts, DoublingDelay backoff, Refusal refusal, boolean recordsCreationTime) {
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
          new DoublingDelay(Duration.ofSeconds(1), Outcome.UNANSWERED_LONGEST),
          Refusal.FINAL,
          true);

  private static SavePolicy fewAttempts(boolean recordsCreationTime) {
    Duration pause = Duration.ofSeconds(10);
    return new SavePolicy(
        5, new DoublingDelay(pause, pause), Refusal.TRIED_AGAIN, recordsCreationTime);
  }
}
