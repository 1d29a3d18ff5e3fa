package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.StorageClass.Binding;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Decisions about claims whose selected node was deleted before provisioning. */
class SelectedNodeTest {
  private static final Claim CLAIM =
      claim("1Gi", c -> c.storageClass("w").annotation(BinderMarks.SELECTED_NODE, "yes"));
  private static final Step<ClaimDecision> AGAIN =
      Step.decided(new ClaimDecision.Reselect(CLAIM.meta().annotation(BinderMarks.SELECTED_NODE)));

  private static StorageClass classWithBinding(Binding binding) {
    Meta meta = TestObjects.metaOf(ObjectKey.cluster("w")).uid("w").created(1).meta();
    return TestObjects.storageClass(meta).provisioner("p").binding(binding).build();
  }

  private static Step<ClaimDecision> decide(
      Binding binding, Provisioning provisioning, Compat compat, Volume... volumes) {
    BinderPolicy policy = new BinderPolicy(compat, true);
    return ClaimDecider.decide(
        new ClaimView(
            CLAIM, Optional.of(classWithBinding(binding)), "", List.of(), provisioning, true),
        new ListCatalogue(List.of(volumes), policy),
        policy);
  }

  @Test
  void decide_nodeGone_selectsAnotherForAnyProvisioner() {
    assertThat(
            decide(Binding.WAIT_FOR_FIRST_CONSUMER, new Provisioning.ByPlugin("p"), Compat.MOORING))
        .isEqualTo(AGAIN);
    assertThat(
            decide(Binding.WAIT_FOR_FIRST_CONSUMER, new Provisioning.ByOthers("p"), Compat.MOORING))
        .isEqualTo(AGAIN);
  }

  @Test
  void decide_suitableVolume_isTakenDespiteTheNode() {
    Volume provisionedVolume = volume("v", "1Gi", v -> v.storageClass("w").claimRef(CLAIM));
    assertThat(
            decide(
                Binding.WAIT_FOR_FIRST_CONSUMER,
                new Provisioning.ByOthers("p"),
                Compat.MOORING,
                provisionedVolume))
        .isEqualTo(Step.decided(new ClaimDecision.Bind(provisionedVolume)));
  }

  @Test
  void decide_nodeGoneInKubernetes_keepsTheSelection() {
    assertThat(
            decide(
                Binding.WAIT_FOR_FIRST_CONSUMER, new Provisioning.ByOthers("p"), Compat.KUBERNETES))
        .isInstanceOfSatisfying(
            Step.Decided.class,
            step -> assertThat(step.decision()).isInstanceOf(ClaimDecision.HandOver.class));
  }

  @Test
  void decide_nodeGoneWithoutScheduler_removesTheSelection() {
    assertThat(decide(Binding.IMMEDIATE, new Provisioning.ByPlugin("p"), Compat.MOORING))
        .isEqualTo(AGAIN);
  }
}
