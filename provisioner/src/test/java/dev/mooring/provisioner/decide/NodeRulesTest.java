package dev.mooring.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.decide.NodeRules.Instance;
import dev.mooring.provisioner.decide.NodeRules.Responsibility;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeRulesTest {
  private static Instance instance(boolean immediateToo) {
    return new Instance("n1", immediateToo, Duration.ofSeconds(20), Duration.ofSeconds(60));
  }

  @ParameterizedTest
  @CsvSource({
    "n1, IMMEDIATE,               true,  OURS",
    "n2, IMMEDIATE,               true,  OTHERS",
    "'', IMMEDIATE,               true,  OPEN",
    "'', IMMEDIATE,               false, OTHERS",
    "n1, WAIT_FOR_FIRST_CONSUMER, true,  OURS",
    "n1, WAIT_FOR_FIRST_CONSUMER, false, OURS",
    "n2, WAIT_FOR_FIRST_CONSUMER, true,  OTHERS",
    "'', WAIT_FOR_FIRST_CONSUMER, true,  OTHERS",
  })
  void claim_selectedNode_determinesOwner(
      String selected,
      StorageClass.Binding binding,
      boolean immediateToo,
      Responsibility expected) {
    Claim claim =
        ProvisionedClaims.claim(
            selected.isEmpty() ? Map.of() : Map.of(ClaimRules.SELECTED_NODE, selected), "");
    assertThat(
            NodeRules.decideResponsibility(
                claim,
                ProvisionedClaims.storageClass(
                    "ours", binding == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER),
                instance(immediateToo)))
        .isEqualTo(expected);
  }

  /** A deleted claim needs a node only if provisioning may have begun. */
  @Test
  void deletedClaim_withoutFinalizer_needsNoElection() {
    StorageClass storageClass = ProvisionedClaims.storageClass("ours", false);
    assertThat(
            NodeRules.decideResponsibility(
                ProvisionedClaims.deleted(false), storageClass, instance(true)))
        .isEqualTo(Responsibility.OTHERS);
    assertThat(
            NodeRules.decideResponsibility(
                ProvisionedClaims.deleted(true), storageClass, instance(true)))
        .isEqualTo(Responsibility.OPEN);
  }

  @ParameterizedTest
  @CsvSource({
    "0,  0,   20",
    "0,  0.5, 10",
    "0,  1,   0",
    "1,  0,   40",
    "1,  0.5, 30",
    "2,  0,   60",
    "2,  1,   40",
    "99, 0,   60",
  })
  void delay_repeated_doublesUpToMaximum(int attempts, double chance, int seconds) {
    assertThat(NodeRules.delay(instance(true), attempts, chance))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void delay_zero_staysZero() {
    Instance instance = new Instance("n1", true, Duration.ZERO, Duration.ZERO);
    assertThat(NodeRules.delay(instance, 40, 0.5)).isZero();
  }
}
