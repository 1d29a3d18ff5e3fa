package dev.mooring.storage;

import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.VolumeOrigin;
import java.time.Duration;

/**
 * How hard a made volume is tried to be saved: all in which those who make volumes differ about it.
 *
 * @param attempts how often at most, {@link #AS_OFTEN_AS_IT_TAKES} for no end
 * @param pause after the first attempt; twice as long after each further one
 * @param longestPause but never longer than that
 * @param refusal what a refusal means
 * @param saysWhenMade whether the object says when it was created ({@link VolumeOrigin#MADE_AT})
 */
public record SavePolicy(
    int attempts, Duration pause, Duration longestPause, Refusal refusal, boolean saysWhenMade) {
  /** The number of attempts of those who never give up. */
  public static final int AS_OFTEN_AS_IT_TAKES = Integer.MAX_VALUE;

  /** What it means that the server does not take the volume. */
  public enum Refusal {
    /** The same as no answer: a quota or a webhook may think better of it at the next attempt. */
    TRIED_AGAIN,
    /** The end. */
    FINAL
  }

  /** As kube-controller-manager saves what its in-tree plugins have made. */
  public static final SavePolicy KUBERNETES = fewAttempts(false);

  public static final SavePolicy FEW_ATTEMPTS = fewAttempts(true);

  /** As external-provisioner does: what exists is saved whatever it takes, unless it is refused. */
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

  /** The pause after one of that length. */
  Duration after(Duration last) {
    Duration twice = last.multipliedBy(2);
    return twice.compareTo(longestPause) > 0 ? longestPause : twice;
  }
}
