package dev.mooring.manager.shadow.pairing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RefusedWorkTest {
  private static final String VOLUME = "kubernetes.io/csi/d^v";
  private static final ObjectKey NODE = ObjectKey.cluster("n");
  private static final ObjectKey ATTACHMENT = ObjectKey.cluster("a");
  private static final Map<FactKey, String> EXISTING =
      Map.of(new FactKey(Kind.ATTACHMENT.kind(), ATTACHMENT, ObjectFacts.EXISTS), "yes");

  private static final Map<FactKey, String> ATTACHED =
      Map.of(
          new FactKey(Kind.ATTACHMENT.kind(), ATTACHMENT, ObjectFacts.EXISTS),
          "yes",
          new FactKey(Kind.ATTACHMENT.kind(), ATTACHMENT, ObjectFacts.IS_ATTACHED),
          "yes");

  private final RefusedWork refused = new RefusedWork();

  private static ActionOrigin origin(String key, String decision) {
    return new ActionOrigin("attach", key, decision, "");
  }

  private static IntendedWrite listing(String value) {
    FactKey fact = new FactKey(Kind.NODE.kind(), NODE, ObjectFacts.attached(VOLUME));
    return new IntendedWrite(
        origin("n", ""), "patch", "Node n", 1, Map.of(fact, value), Map.of(), Set.of());
  }

  private static IntendedWrite existence(
      String decision, ObjectKey attachment, Map<FactKey, String> before) {
    FactKey fact = new FactKey(Kind.ATTACHMENT.kind(), attachment, ObjectFacts.EXISTS);
    return new IntendedWrite(
        origin(VOLUME, decision),
        decision.equals("Attach") ? "create" : "delete",
        Kind.ATTACHMENT + " " + attachment,
        0,
        Map.of(fact, decision.equals("Attach") ? "yes" : ""),
        before,
        Set.of());
  }

  private static ObservedChange attachment(
      Map<FactKey, String> before, Map<FactKey, String> after) {
    return new ObservedChange(
        Kind.ATTACHMENT.kind(), ATTACHMENT, 1, before, after, Set.of(VOLUME), false);
  }

  @Test
  void listing_ofVolumeThatClusterDetached_isConsequenceUntilItIsAttachedAgain() {
    assertThat(refused.isCauseOf(listing("yes"))).isFalse();
    refused.recordChange(attachment(EXISTING, Map.of()));
    assertThat(refused.isCauseOf(listing("yes"))).isTrue();
    assertThat(refused.isCauseOf(listing(""))).isFalse();

    refused.recordChange(attachment(Map.of(), EXISTING));
    assertThat(refused.isCauseOf(listing("yes"))).isFalse();
  }

  @Test
  void listing_ofVolumeThatShadowDetaches_isConsequence() {
    refused.recordDecision(origin(VOLUME, "Detach"));
    assertThat(refused.isCauseOf(listing("yes"))).isTrue();
    assertThat(refused.hasDetached(Set.of(VOLUME))).isTrue();
  }

  @Test
  void detach_ofPendingAttachment_isConsequenceOfRefusedAttach() {
    IntendedWrite detach = existence("Detach", ATTACHMENT, EXISTING);
    assertThat(refused.isCauseOf(detach)).isFalse();

    refused.recordIntent(existence("Attach", ATTACHMENT, Map.of()));
    assertThat(refused.isCauseOf(detach)).isTrue();
    assertThat(refused.isCauseOf(existence("Detach", ATTACHMENT, ATTACHED))).isFalse();
    assertThat(refused.isCauseOf(existence("Detach", ObjectKey.cluster("b"), EXISTING))).isFalse();

    refused.recordChange(attachment(EXISTING, Map.of()));
    assertThat(refused.isCauseOf(detach)).isFalse();
  }

  @Test
  void failedPhase_afterRefusedCall_isConsequence() {
    FactKey phase = new FactKey(Kind.VOLUME.kind(), ObjectKey.cluster("v"), ObjectFacts.PHASE);
    IntendedWrite failure =
        new IntendedWrite(
            origin("v", "Reclaim"), "patch", "v", 1, Map.of(phase, "Failed"), Map.of(), Set.of());
    assertThat(refused.isCauseOf(failure)).isFalse();
    assertThat(refused.addCall(origin("v", "Reclaim"))).isTrue();
    assertThat(refused.addCall(origin("v", "Reclaim"))).isFalse();
    assertThat(refused.isCauseOf(failure)).isTrue();
  }

  @Test
  void growthMark_afterDecisionToGrow_isConsequence() {
    FactKey resizer =
        new FactKey(
            Kind.CLAIM.kind(),
            ObjectKey.of("ns", "c"),
            ObjectFacts.annotation("volume.kubernetes.io/storage-resizer"));
    ObservedChange mark =
        new ObservedChange(
            Kind.CLAIM.kind(),
            ObjectKey.of("ns", "c"),
            2,
            Map.of(),
            Map.of(resizer, "example.com/flex"),
            Set.of("ns/c"),
            false);
    assertThat(isCause(mark, "Grow")).isTrue();
    assertThat(isCause(mark, "Keep")).isFalse();
  }

  private boolean isCause(ObservedChange mark, String decision) {
    return refused.isCauseOfAbsence(DecisionClass.GROW, mark, List.of(origin("ns/c", decision)));
  }
}
