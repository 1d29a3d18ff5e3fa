package dev.mooring.manager.shadow;

import dev.mooring.manager.shadow.pairing.DecisionClass;
import dev.mooring.manager.shadow.pairing.FactKey;
import dev.mooring.manager.shadow.pairing.ObjectFacts;
import dev.mooring.manager.shadow.pairing.PairedDifference;
import dev.mooring.manager.shadow.pairing.PairedDifference.Difference;
import dev.mooring.reconcile.Compat;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Deliberate differences that the pairing recognizes, with their row in docs/differences.md. {@code
 * --compat=kcm} switches all of them back.
 */
public enum KnownDifferences {
  MATCH_ORDER("rule-1", finding -> isOtherVolume(finding) && !isReservation(finding)),
  RESERVED_VOLUME_WINS("rule-2", finding -> isOtherVolume(finding) && isReservation(finding)),
  EMPTY_CLAIM_REF(
      "binder-odd-claimrefs",
      finding ->
          isOf(finding, Difference.NOT_DONE, DecisionClass.BIND)
              && context(finding).containsValue(ObjectFacts.EMPTY_REF)),
  VOLUME_TAKEN("binder-named-volume-taken", finding -> hasDecided(finding, "Wait", "VolumeTaken")),
  NAMED_VOLUME_MISFIT(
      "binder-named-and-reserved",
      finding -> isOf(finding, Difference.NOT_INTENDED, DecisionClass.BIND) && isMisfit(finding)),
  LOST_CLAIM(
      "binder-repair-claim-only", finding -> hasDecided(finding, "MarkLost", "NoLongerFits")),
  HALF_BOUND(
      "binder-half-bound-volume-mode-mismatch", finding -> hasDecided(finding, "ModeMismatch", "")),
  NO_DELETER(
      "reclaim-delete-no-deleter",
      finding ->
          finding.difference() == Difference.NOT_INTENDED
              && finding.facts().containsValue("Failed")
              && hasDecided(finding, "Reclaim", "")),
  FAILED_THEN_RETAINED(
      "reclaim-failed-then-retained",
      finding ->
          isOf(finding, Difference.NOT_DONE, DecisionClass.SET_PHASE)
              && finding.facts().containsValue("Failed")
              && changes(finding).containsValue("Released")),
  NEVER_BOUND(
      "never-bound",
      finding ->
          isOf(finding, Difference.NOT_INTENDED, DecisionClass.SET_PHASE)
              && finding.facts().containsValue("Released")
              && hasDecided(finding, "Keep", "")),
  PROVISIONER_MARK(
      "provisioner-annotation",
      finding ->
          isOf(finding, Difference.NOT_INTENDED, DecisionClass.MARK)
              && (hasDecided(finding, "Provision", "") || hasRejectedNode(finding))),
  NODE_GONE(
      "selected-node-gone",
      finding ->
          isOf(finding, Difference.NOT_DONE, DecisionClass.MARK) && hasRejectedNode(finding)),
  UNNEEDED_ATTACHMENT(
      "rule-9",
      (finding, pods) ->
          isOf(finding, Difference.NOT_DONE, DecisionClass.DETACH)
              && finding.facts().keySet().stream()
                  .allMatch(fact -> pods.isAttachmentUnneeded(fact.object()))),
  DELETING_VOLUME(
      "reclaim-policy-to-delete-on-deleting-volume-jams",
      finding ->
          isOf(finding, Difference.NOT_DONE, DecisionClass.SET_PHASE)
              && changes(finding).containsValue("Released")
              && context(finding).keySet().stream()
                  .noneMatch(fact -> fact.property().equals(ObjectFacts.EXISTS))),
  FINISHED_POD_RELEASES(
      "protection-which-pods-hold-a-claim",
      (finding, pods) ->
          isOf(finding, Difference.NOT_DONE, DecisionClass.RELEASE)
              && finding.facts().keySet().stream()
                  .allMatch(fact -> pods.isByFinishedPodsOnly(fact.object()))),
  FINISHED_POD_NEEDS_NONE(
      "protection-ephemeral-skips-deleting-pod",
      (finding, pods) ->
          isOf(finding, Difference.NOT_INTENDED, DecisionClass.CREATE_CLAIM)
              && finding.decisions().stream().anyMatch(origin -> pods.isFinished(origin.key()))),
  HOST_PATH_GROWTH(
      "hostpath-growth",
      finding ->
          finding.difference() == Difference.NOT_DONE
              && hasDecided(finding, "Grow", "")
              && changes(finding).containsValue("kubernetes.io/host-path"));

  private static final Set<String> MISFITS =
      Set.of("TooSmall", "ClassDiffers", "VolumeModeDiffers", "AccessModesDiffer");

  private final String row;
  private final BiPredicate<PairedDifference, PodUse> test;

  KnownDifferences(String row, Predicate<PairedDifference> test) {
    this(row, (finding, pods) -> test.test(finding));
  }

  KnownDifferences(String row, BiPredicate<PairedDifference, PodUse> test) {
    this.row = row;
    this.test = test;
  }

  public String row() {
    return row;
  }

  static Optional<String> findRow(PairedDifference finding, Compat compat, PodUse pods) {
    return compat.isKubernetes()
        ? Optional.empty()
        : Arrays.stream(values())
            .filter(known -> known.test.test(finding, pods))
            .map(KnownDifferences::row)
            .findFirst();
  }

  // The shadow does not start the deletion that failed in the cluster.
  static boolean isOutcomeOfSlowWork(PairedDifference finding) {
    return finding.difference() == Difference.NOT_INTENDED
        && finding.facts().containsValue("Failed")
        && hasDecided(finding, "Reclaim", "");
  }

  // No watch event of the claim shows that a deleted pod no longer needs it.
  static boolean isForLeavingPod(PairedDifference finding, PodUse pods) {
    return isOf(finding, Difference.NOT_DONE, DecisionClass.CREATE_CLAIM)
        && finding.decisions().stream().allMatch(origin -> pods.isLeaving(origin.key()));
  }

  private static boolean isOf(
      PairedDifference finding, Difference form, DecisionClass decisionClass) {
    return finding.difference() == form && finding.decisionClass() == decisionClass;
  }

  /**
   * @param reason code of the reason; "" for any
   */
  private static boolean hasDecided(PairedDifference finding, String decision, String reason) {
    return finding.decisions().stream()
        .anyMatch(origin ->
            origin.decision().equals(decision)
                && (reason.isEmpty() || origin.reason().equals(reason)));
  }

  private static boolean isMisfit(PairedDifference finding) {
    return finding.decisions().stream()
        .anyMatch(origin -> origin.decision().equals("Wait") && MISFITS.contains(origin.reason()));
  }

  private static boolean hasRejectedNode(PairedDifference finding) {
    return hasDecided(finding, "Gone", "") || hasDecided(finding, "Impossible", "");
  }

  private static Map<FactKey, String> changes(PairedDifference finding) {
    return finding.intent().isPresent() ? finding.intent().get().changes() : Map.of();
  }

  private static Map<FactKey, String> context(PairedDifference finding) {
    return finding.intent().isPresent() ? finding.intent().get().context() : Map.of();
  }

  private static boolean isOtherVolume(PairedDifference finding) {
    return isOf(finding, Difference.CONTRARY, DecisionClass.BIND)
        && finding.facts().entrySet().stream()
            .anyMatch(fact ->
                fact.getKey().property().equals(ObjectFacts.VOLUME) && !fact.getValue().isEmpty());
  }

  private static boolean isReservation(PairedDifference finding) {
    return context(finding).values().stream()
        .anyMatch(value -> value.endsWith(ObjectFacts.RESERVED));
  }
}
