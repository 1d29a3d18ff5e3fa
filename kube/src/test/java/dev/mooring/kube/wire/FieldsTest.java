package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.kube.wire.WireReader.Fields;
import org.junit.jupiter.api.Test;

class FieldsTest {
  private static final Fields REFERENCE = Fields.of(1, "name").and(4, "uid");

  @Test
  void lookup_knownField_isFoundByNameAndNumber() {
    assertThat(REFERENCE.number("uid")).isEqualTo(4);
    assertThat(REFERENCE.name(4)).isEqualTo("uid");
  }

  @Test
  void lookup_unknownField_isNone() {
    assertThat(REFERENCE.number("kind")).isZero();
    assertThat(REFERENCE.name(2)).isEmpty();
    assertThat(Fields.none().number("name")).isZero();
  }

  @Test
  void and_moreFields_leavesOriginalUnchanged() {
    Fields more = REFERENCE.and(2, "kind").and(Fields.of(3, "group"));
    assertThat(more.number("kind")).isEqualTo(2);
    assertThat(more.number("group")).isEqualTo(3);
    assertThat(REFERENCE.number("kind")).isZero();
  }

  @Test
  void inline_memberField_containsBothNumbers() {
    Fields outer = Fields.of(1, "key").inline(2, REFERENCE);
    assertThat(outer.number("uid")).isEqualTo(2 << 16 | 4);
  }

  @Test
  void and_duplicateNumberOrName_throws() {
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.and(4, "kind"));
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.and(2, "uid"));
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.and(REFERENCE));
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.inline(2, REFERENCE));
  }
}
