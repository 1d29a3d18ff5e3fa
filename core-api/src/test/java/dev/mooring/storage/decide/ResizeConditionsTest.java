package dev.mooring.storage.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim.Condition;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResizeConditionsTest {
  private static final Condition MODIFYING = condition("ModifyingVolume", "True", 1);
  private static final Condition RESIZING = condition("Resizing", "True", 1);

  private static Condition condition(String type, String status, long changed) {
    return new Condition(type, status, "", "", 0, changed);
  }

  @Test
  void only_otherExpansionCondition_isReplaced() {
    assertThat(
            ResizeConditions.replaceAll(
                List.of(MODIFYING, condition("NodeResizeError", "True", 1)),
                condition("Resizing", "True", 2)))
        .containsExactly(MODIFYING, condition("Resizing", "True", 2));
  }

  @Test
  void only_sameCondition_staysUnchanged() {
    assertThat(ResizeConditions.replaceAll(List.of(RESIZING), condition("Resizing", "True", 2)))
        .containsExactly(RESIZING);
    assertThat(
            ResizeConditions.replaceAll(
                List.of(condition("Resizing", "False", 1)), condition("Resizing", "True", 2)))
        .containsExactly(condition("Resizing", "True", 2));
  }

  // Kubernetes keeps positions, and users see the whole list.
  @Test
  void also_changedCondition_keepsPosition() {
    Condition pending = condition("FileSystemResizePending", "True", 2);
    assertThat(ResizeConditions.replaceAll(List.of(pending, RESIZING, MODIFYING), RESIZING))
        .containsExactly(RESIZING, MODIFYING);
    assertThat(
            ResizeConditions.add(List.of(RESIZING, MODIFYING), condition("Resizing", "False", 2)))
        .containsExactly(condition("Resizing", "False", 2), MODIFYING);
  }

  @Test
  void also_otherExpansionCondition_isKept() {
    Condition pending = condition("FileSystemResizePending", "True", 2);
    assertThat(ResizeConditions.add(List.of(MODIFYING, RESIZING), pending))
        .containsExactly(MODIFYING, RESIZING, pending);
    assertThat(ResizeConditions.withoutResizeConditions(List.of(MODIFYING, RESIZING, pending)))
        .containsExactly(MODIFYING);
  }

  @Test
  void renewed_sameType_movesToEnd() {
    Condition unrelated = condition("Other", "True", 1);
    Condition error = condition(ResizeConditions.CONTROLLER_ERROR, "True", 1);
    Condition resizing = condition("Resizing", "True", 2);
    assertThat(ResizeConditions.renew(List.of(unrelated, RESIZING, error), resizing, true))
        .containsExactly(unrelated, error, resizing);
    assertThat(ResizeConditions.renew(List.of(unrelated, error), resizing, false))
        .containsExactly(unrelated, resizing);
  }
}
