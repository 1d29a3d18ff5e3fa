package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumeCriterion.CriterionScope.FREE;
import static dev.mooring.binder.decide.VolumeCriterion.CriterionScope.NAMED;
import static dev.mooring.binder.decide.VolumeCriterion.CriterionScope.RESERVED;
import static dev.mooring.binder.decide.VolumeCriterion.CriterionScope.SCHEDULED;

import dev.mooring.binder.decide.FitCheck.FitMismatch;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tests that a volume must pass to be bound to a claim, with their messages. The binder and the
 * explainers share them.
 */
public enum VolumeCriterion {
  CLAIM_REF("claimRef", FREE, SCHEDULED, NAMED),
  DELETION(
      "deletion",
      Reason.VOLUME_BEING_DELETED,
      "the volume is marked for deletion \"%s\"",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  // no other claim uses the volume, and it is not being scrubbed or deleted
  PHASE("phase", FREE, SCHEDULED),
  SIZE("size", Reason.TOO_SMALL, "requested PV is too small", FREE, SCHEDULED, NAMED, RESERVED),
  CLASS("class", Reason.CLASS_DIFFERS, "storageClassName does not match", FREE, SCHEDULED, NAMED),
  ATTRIBUTES_CLASS(
      "attributesClass",
      Reason.ATTRIBUTES_CLASS_DIFFERS,
      "volumeAttributesClassName does not match",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  VOLUME_MODE(
      "volumeMode",
      Reason.VOLUME_MODE_DIFFERS,
      "incompatible volumeMode",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  ACCESS_MODES(
      "accessModes",
      Reason.ACCESS_MODES_DIFFER,
      "incompatible accessMode",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  LABELS("labels", FREE, SCHEDULED),
  BINDING("binding", FREE, SCHEDULED),
  /**
   * At least one node can run the pod and access the volume. With WaitForFirstConsumer the
   * scheduler tests this; otherwise it is not tested before the pod is scheduled, as in Kubernetes.
   */
  NODE_AFFINITY("nodeAffinity", SCHEDULED),
  RECLAIM("reclaim", NAMED, RESERVED);

  enum CriterionScope {
    FREE,
    SCHEDULED,
    NAMED,
    RESERVED
  }

  private static final int MAX_TERMS = 10;

  private final String token;
  private final @Nullable Reason reason;
  private final String template;
  private final Set<CriterionScope> scopes;

  /** Creates a test that is only reported, not decisive, for a named or reserved volume. */
  VolumeCriterion(String token, CriterionScope... scopes) {
    this(token, null, "", scopes);
  }

  VolumeCriterion(
      String token, @Nullable Reason reason, String template, CriterionScope... scopes) {
    this.token = token;
    this.reason = reason;
    this.template = template;
    this.scopes = Set.of(scopes);
  }

  public String token() {
    return token;
  }

  static List<VolumeCriterion> of(CriterionScope scope) {
    return Stream.of(values()).filter(test -> test.scopes.contains(scope)).toList();
  }

  boolean isDecisive() {
    return reason != null;
  }

  FitMismatch mismatch(Volume volume) {
    return new FitMismatch(
        Objects.requireNonNull(reason, token), template.replace("%s", volume.meta().name()));
  }

  boolean passes(ClaimRequirements requirements, Volume volume) {
    return switch (this) {
      case LABELS -> requirements.key().hasLabels(volume);
      case BINDING -> !requirements.isDelayed();
      case NODE_AFFINITY -> requirements.nodes().canReach(volume.nodeAffinity());
      default -> passes(requirements.subject(), volume);
    };
  }

  /**
   * Tests the volume with nothing but claim and policy. Every decisive test supports this.
   *
   * @throws IllegalArgumentException if the test needs more
   */
  boolean passes(MatchSubject subject, Volume volume) {
    Claim claim = subject.claim();
    AvailabilityRule availability = subject.policy().availability();
    return switch (this) {
      case CLAIM_REF -> hasNoOtherClaim(claim, availability.holder(volume));
      case DELETION -> AvailabilityRule.isNotBeingDeleted(volume);
      case PHASE -> availability.hasPhaseOfFree(volume);
      case SIZE -> isLargeEnough(volume, claim.request());
      case CLASS -> volume.storageClass().equals(claim.className());
      case ATTRIBUTES_CLASS -> volume.attributesClass().equals(claim.attributesClass());
      case VOLUME_MODE -> volume.volumeMode() == claim.volumeMode();
      case ACCESS_MODES -> offers(volume.accessModes().mask(), claim.accessModes().mask());
      case RECLAIM -> !AvailabilityRule.isReclaimedForAnother(claim, volume);
      case LABELS, BINDING, NODE_AFFINITY ->
          throw new IllegalArgumentException(token + " depends on more than claim and policy");
    };
  }

  static boolean isLargeEnough(Volume volume, Quantity needed) {
    return volume.storage().covers(needed);
  }

  public static boolean offers(int modes, int needed) {
    return (modes & needed) == needed;
  }

  private static boolean hasNoOtherClaim(Claim claim, @Nullable ClaimRef holder) {
    return holder == null || holder.isFor(claim.key(), claim.meta().uid());
  }

  String describeMismatch(ClaimRequirements requirements, Volume volume) {
    Claim claim = requirements.claim();
    return switch (this) {
      case CLAIM_REF ->
          "belongs to " + describeHolder(Objects.requireNonNull(volume.claimRef()).claim());
      case DELETION -> "is being deleted";
      case PHASE, RECLAIM -> "is " + describePhase(volume);
      case SIZE -> "has " + volume.storage() + ", not " + claim.request();
      case CLASS ->
          "has class \"" + volume.storageClass() + "\", not \"" + claim.className() + "\"";
      case ATTRIBUTES_CLASS ->
          "has attributes class \""
              + volume.attributesClass()
              + "\", not \""
              + claim.attributesClass()
              + "\"";
      case VOLUME_MODE -> "is " + volume.volumeMode() + ", not " + claim.volumeMode();
      case ACCESS_MODES -> "offers " + volume.accessModes() + ", not " + claim.accessModes();
      case LABELS -> "lacks the labels " + describeLabels(claim);
      case BINDING -> "is taken only after the scheduler has selected it for a pod";
      case NODE_AFFINITY -> requirements.nodes().unreachableReason(volume.nodeAffinity());
    };
  }

  private static String describeHolder(ObjectKey claim) {
    if (claim.name().isEmpty()) {
      return "a claim without a name";
    }
    return claim.namespace().isEmpty() ? "a claim without a namespace" : claim.toString();
  }

  private static String describePhase(Volume volume) {
    String phase = volume.phase().toString();
    return phase.isEmpty() ? "without a phase" : phase;
  }

  private static String describeLabels(Claim claim) {
    LabelSelector selector = Objects.requireNonNull(claim.selector());
    boolean isLong =
        selector.matchLabels().size() > MAX_TERMS
            || selector.matchExpressions().size() > MAX_TERMS
            || selector.matchExpressions().stream().anyMatch(r -> r.values().size() > MAX_TERMS);
    return isLong ? truncate(selector) : selector.toString();
  }

  private static String truncate(LabelSelector selector) {
    Map<String, String> labels = new LinkedHashMap<>();
    selector.matchLabels().entrySet().stream()
        .limit(MAX_TERMS)
        .forEach(label -> labels.put(label.getKey(), label.getValue()));
    List<LabelSelector.Requirement> expressions =
        selector.matchExpressions().stream()
            .limit(MAX_TERMS)
            .map(r ->
                new LabelSelector.Requirement(
                    r.key(), r.operator(), r.values().stream().limit(MAX_TERMS).toList()))
            .toList();
    return new LabelSelector(labels, expressions) + "...";
  }
}
