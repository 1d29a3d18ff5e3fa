package dev.mooring.storage;

import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.VolumeOrigin;
import java.time.Duration;

/**
 * Retries of creating a provisioned volume's object.
 *
 * @param attempts maximum number of attempts; {@link #AS_OFTEN_AS_IT_TAKES} for no limit
 * @param pause pause after the first attempt; doubles after each
 * @param longestPause longest pause
 * @param refusal treatment of a rejection
 * @param saysWhenMade whether the object records its creation time ({@link VolumeOrigin#MADE_AT})
 */
public record SavePolicy(
    int attempts, Duration pause, Duration longestPause, Refusal refusal, boolean saysWhenMade) {
  /** No limit of attempts. */
  public static final int AS_OFTEN_AS_IT_TAKES = Integer.MAX_VALUE;

  /** Treatment of a rejection by the API server. */
  public enum Refusal {
    /** Retries, because a quota or a webhook may accept a later attempt. */
    TRIED_AGAIN,
    /** Gives up. */
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
          AS_OFTEN_AS_IT_TAKES,
          Duration.ofSeconds(1),
          Outcome.UNANSWERED_LONGEST,
          Refusal.FINAL,
          true);

  private static SavePolicy fewAttempts(boolean saysWhenMade) {
    Duration pause = Duration.ofSeconds(10);
    return new SavePolicy(5, pause, pause, Refusal.TRIED_AGAIN, saysWhenMade);
  }

  /** Returns the pause that follows a pause of that length. */
  Duration after(Duration last) {
    Duration twice = last.multipliedBy(2);
    return twice.compareTo(longestPause) > 0 ? longestPause : twice;
  }
}
