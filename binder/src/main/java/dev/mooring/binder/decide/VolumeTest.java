package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumeTest.Scope.FREE;
import static dev.mooring.binder.decide.VolumeTest.Scope.NAMED;
import static dev.mooring.binder.decide.VolumeTest.Scope.RESERVED;
import static dev.mooring.binder.decide.VolumeTest.Scope.SCHEDULED;

import dev.mooring.binder.decide.Fit.Misfit;
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
 * The tests that a volume must pass to become a claim's, each with its words. There is no other
 * copy of them: who decides and who explains ask the same ones.
 */
public enum VolumeTest {
  /** It is nobody else's. */
  CLAIM_REF("claimRef", FREE, SCHEDULED, NAMED),
  /** It is not being deleted. */
  DELETION(
      "deletion",
      Reason.VOLUME_BEING_DELETED,
      "the volume is marked for deletion \"%s\"",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  /** Nobody is using, emptying or deleting it any more. */
  PHASE("phase", FREE, SCHEDULED),
  /** It is large enough. */
  SIZE("size", Reason.TOO_SMALL, "requested PV is too small", FREE, SCHEDULED, NAMED, RESERVED),
  /** It is of the claim's class. */
  CLASS("class", Reason.CLASS_DIFFERS, "storageClassName does not match", FREE, SCHEDULED, NAMED),
  /** It is of the claim's VolumeAttributesClass. */
  ATTRIBUTES_CLASS(
      "attributesClass",
      Reason.ATTRIBUTES_CLASS_DIFFERS,
      "volumeAttributesClassName does not match",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  /** It is a block device or a file system, as asked. */
  VOLUME_MODE(
      "volumeMode",
      Reason.VOLUME_MODE_DIFFERS,
      "incompatible volumeMode",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  /** It offers every access mode. */
  ACCESS_MODES(
      "accessModes",
      Reason.ACCESS_MODES_DIFFER,
      "incompatible accessMode",
      FREE,
      SCHEDULED,
      NAMED,
      RESERVED),
  /** It has the labels. */
  LABELS("labels", FREE, SCHEDULED),
  /** It may be taken before a pod is scheduled. */
  BINDING("binding", FREE, SCHEDULED),
  /**
   * It can be reached from a node that may be chosen. Where binding waits for a pod this is the
   * scheduler's test; else nobody asks before the pod is scheduled, as in Kubernetes.
   */
  NODE_AFFINITY("nodeAffinity", SCHEDULED),
  /** What was another claim's is not being emptied or deleted. */
  RECLAIM("reclaim", NAMED, RESERVED);

  /** Which volumes a test is for, as a claim sees them. */
  enum Scope {
    /** Those that a claim may choose among. */
    FREE,
    /** The same, where the nodes are known that the claim's pod may come to. */
    SCHEDULED,
    /** The one that the claim asks for by name. */
    NAMED,
    /** Those that are reserved for the claim. */
    RESERVED
  }

  /** How many terms of a selector, and values of a term, are told. */
  private static final int MOST_TERMS = 10;

  private final String token;
  private final @Nullable Reason why;
  private final String words;
  private final Set<Scope> scopes;

  /** Where the volume is named or reserved it is told, and decided by others. */
  VolumeTest(String token, Scope... scopes) {
    this(token, null, "", scopes);
  }

  /**
   * It decides where the volume is named or reserved, too.
   *
   * @param why why the claim is not bound to a volume that fails
   * @param words how Kubernetes says so; %s for the volume's name
   */
  VolumeTest(String token, @Nullable Reason why, String words, Scope... scopes) {
    this.token = token;
    this.why = why;
    this.words = words;
    this.scopes = Set.of(scopes);
  }

  /** Its name in what programs read. */
  public String token() {
    return token;
  }

  /** Every test that volumes of the scope are put to, in the order in which they are told. */
  static List<VolumeTest> of(Scope scope) {
    return Stream.of(values()).filter(test -> test.scopes.contains(scope)).toList();
  }

  /** Whether it decides where the volume is named or reserved. */
  boolean isDecisive() {
    return why != null;
  }

  /** Why the claim is not bound to a named or reserved volume that fails: of a decisive test. */
  Misfit misfit(Volume volume) {
    return new Misfit(
        Objects.requireNonNull(why, token), words.replace("%s", volume.meta().name()));
  }

  /** Whether the volume passes. */
  boolean passes(Wanted wanted, Volume volume) {
    return switch (this) {
      case LABELS -> wanted.key().hasLabels(volume);
      case BINDING -> !wanted.delayed();
      case NODE_AFFINITY -> wanted.nodes().reach(volume.nodeAffinity());
      default -> passes(wanted.subject(), volume);
    };
  }

  /**
   * The same where nothing but the two has to be known, as with each that is decisive.
   *
   * @throws IllegalArgumentException if the test needs more
   */
  boolean passes(MatchSubject subject, Volume volume) {
    Claim claim = subject.claim();
    Availability availability = subject.policy().availability();
    return switch (this) {
      case CLAIM_REF -> isNobodyElses(claim, availability.holder(volume));
      case DELETION -> Availability.isToStay(volume);
      case PHASE -> availability.hasPhaseOfFree(volume);
      case SIZE -> has(volume, claim.request());
      case CLASS -> volume.storageClass().equals(claim.className());
      case ATTRIBUTES_CLASS -> volume.attributesClass().equals(claim.attributesClass());
      case VOLUME_MODE -> volume.volumeMode() == claim.volumeMode();
      case ACCESS_MODES -> offers(volume.accessModes().mask(), claim.accessModes().mask());
      case RECLAIM -> !Availability.isReclaimedForAnother(claim, volume);
      case LABELS, BINDING, NODE_AFFINITY ->
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

  private static boolean isNobodyElses(Claim claim, @Nullable ClaimRef holder) {
    return holder == null || holder.isFor(claim.key(), claim.meta().uid());
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
      case ATTRIBUTES_CLASS ->
          "has attributes class \""
              + volume.attributesClass()
              + "\", not \""
              + claim.attributesClass()
              + "\"";
      case VOLUME_MODE -> "is " + volume.volumeMode() + ", not " + claim.volumeMode();
      case ACCESS_MODES -> "offers " + volume.accessModes() + ", not " + claim.accessModes();
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
