package dev.mooring.binder.decide;

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

/**
 * The tests that a volume must pass to become a claim's, each with its words. There is no other
 * copy of them: who decides and who explains ask the same ones.
 */
public enum VolumeTest {
  /** It is nobody else's. */
  CLAIM_REF("claimRef"),
  /** It is not being deleted. */
  DELETION("deletion"),
  /** Nobody is using, emptying or deleting it any more. */
  PHASE("phase"),
  /** It is large enough. */
  SIZE("size"),
  /** It is of the claim's class. */
  CLASS("class"),
  /** It offers every access mode. */
  ACCESS_MODES("accessModes"),
  /** It is a block device or a file system, as asked. */
  VOLUME_MODE("volumeMode"),
  /** It is of the claim's VolumeAttributesClass. */
  ATTRIBUTES_CLASS("attributesClass"),
  /** It has the labels. */
  LABELS("labels"),
  /** It may be taken before a pod is scheduled. */
  BINDING("binding"),
  /**
   * It can be reached from a node that may be chosen. Where binding waits for a pod this is the
   * scheduler's test; else nobody asks before the pod is scheduled, as in Kubernetes.
   */
  NODE_AFFINITY("nodeAffinity"),
  /** What was another claim's is not being emptied or deleted. */
  RECLAIM("reclaim");

  /** How many terms of a selector, and values of a term, are told. */
  private static final int MOST_TERMS = 10;

  private final String token;

  VolumeTest(String token) {
    this.token = token;
  }

  /** Its name in what programs read. */
  public String token() {
    return token;
  }

  /** Whether the volume passes. */
  boolean passes(Wanted wanted, Volume volume) {
    return switch (this) {
      case CLAIM_REF -> isNobodyElses(wanted, volume);
      case PHASE -> wanted.availability().hasPhaseOfFree(volume);
      case LABELS -> wanted.key().hasLabels(volume);
      case BINDING -> !wanted.delayed();
      case NODE_AFFINITY -> wanted.nodes().reach(volume.nodeAffinity());
      case DELETION, SIZE, CLASS, ACCESS_MODES, VOLUME_MODE, ATTRIBUTES_CLASS, RECLAIM ->
          passes(wanted.claim(), volume);
    };
  }

  /**
   * The same where nothing but the two has to be known.
   *
   * @throws IllegalArgumentException if the test needs more
   */
  boolean passes(Claim claim, Volume volume) {
    return switch (this) {
      case DELETION -> Availability.isToStay(volume);
      case SIZE -> has(volume, claim.request());
      case CLASS -> volume.storageClass().equals(claim.className());
      case ACCESS_MODES -> offers(volume.accessModes().mask(), claim.accessModes().mask());
      case VOLUME_MODE -> volume.volumeMode() == claim.volumeMode();
      case ATTRIBUTES_CLASS -> volume.attributesClass().equals(claim.attributesClass());
      case RECLAIM -> !Availability.isReclaimedForAnother(claim, volume);
      case CLAIM_REF, PHASE, LABELS, BINDING, NODE_AFFINITY ->
          throw new IllegalArgumentException(token + " depends on more than the two");
    };
  }

  /**
   * {@link #SIZE} where it is not the claim's request that is needed, or the claim is not known.
   */
  static boolean has(Volume volume, Quantity needed) {
    return volume.storage().covers(needed);
  }

  /** {@link #ACCESS_MODES}, of two sets of modes as bits. */
  public static boolean offers(int modes, int needed) {
    return (modes & needed) == needed;
  }

  private static boolean isNobodyElses(Wanted wanted, Volume volume) {
    ClaimRef holder = wanted.availability().holder(volume);
    return holder == null || holder.isFor(wanted.claim().key(), wanted.claim().meta().uid());
  }

  /** Why it was not passed, as the end of a sentence about the volume. */
  String note(Wanted wanted, Volume volume) {
    Claim claim = wanted.claim();
    return switch (this) {
      case CLAIM_REF -> "belongs to " + holder(Objects.requireNonNull(volume.claimRef()).claim());
      case DELETION -> "is being deleted";
      case PHASE, RECLAIM -> "is " + phase(volume);
      case SIZE -> "has " + volume.storage() + ", not " + claim.request();
      case CLASS ->
          "has class \"" + volume.storageClass() + "\", not \"" + claim.className() + "\"";
      case ACCESS_MODES -> "offers " + volume.accessModes() + ", not " + claim.accessModes();
      case VOLUME_MODE -> "is " + volume.volumeMode() + ", not " + claim.volumeMode();
      case ATTRIBUTES_CLASS ->
          "has attributes class \""
              + volume.attributesClass()
              + "\", not \""
              + claim.attributesClass()
              + "\"";
      case LABELS -> "lacks the labels " + labels(claim);
      case BINDING -> "is taken only when the scheduler has chosen it for a pod";
      case NODE_AFFINITY -> wanted.nodes().lack(volume.nodeAffinity());
    };
  }

  private static String holder(ObjectKey claim) {
    return claim.name().isEmpty() ? "a claim without a name" : claim.toString();
  }

  private static String phase(Volume volume) {
    String phase = volume.phase().toString();
    return phase.isEmpty() ? "without a phase" : phase;
  }

  /** The claim's selector; its beginning, if it is longer than anybody would read. */
  private static String labels(Claim claim) {
    LabelSelector selector = Objects.requireNonNull(claim.selector());
    boolean isLong =
        selector.matchLabels().size() > MOST_TERMS
            || selector.matchExpressions().size() > MOST_TERMS
            || selector.matchExpressions().stream().anyMatch(r -> r.values().size() > MOST_TERMS);
    return isLong ? beginning(selector) : selector.toString();
  }

  private static String beginning(LabelSelector selector) {
    Map<String, String> some = new LinkedHashMap<>();
    selector.matchLabels().entrySet().stream()
        .limit(MOST_TERMS)
        .forEach(label -> some.put(label.getKey(), label.getValue()));
    List<LabelSelector.Requirement> few =
        selector.matchExpressions().stream()
            .limit(MOST_TERMS)
            .map(r ->
                new LabelSelector.Requirement(
                    r.key(), r.operator(), r.values().stream().limit(MOST_TERMS).toList()))
            .toList();
    return new LabelSelector(some, few) + "...";
  }
}
