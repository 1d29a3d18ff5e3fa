package dev.mooring.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.wire.WireReader.Fields;
import org.junit.jupiter.api.Test;

class FieldsTest {
  private static final Fields REFERENCE = Fields.of(1, "name").and(4, "uid");

  @Test
  void lookup_knownField_isFoundByNameAndNumber() {
    assertThat(REFERENCE.getNumber("uid")).isEqualTo(4);
    assertThat(REFERENCE.getName(4)).isEqualTo("uid");
  }

  @Test
  void lookup_unknownField_isNone() {
    assertThat(REFERENCE.getNumber("kind")).isZero();
    assertThat(REFERENCE.getName(2)).isEmpty();
    assertThat(Fields.none().getNumber("name")).isZero();
  }

  @Test
  void and_moreFields_leavesOriginalUnchanged() {
    Fields extended = REFERENCE.and(2, "kind").and(Fields.of(3, "group"));
    assertThat(extended.getNumber("kind")).isEqualTo(2);
    assertThat(extended.getNumber("group")).isEqualTo(3);
    assertThat(REFERENCE.getNumber("kind")).isZero();
  }

  @Test
  void inline_memberField_containsBothNumbers() {
    Fields outer = Fields.of(1, "key").inline(2, REFERENCE);
    assertThat(outer.getNumber("uid")).isEqualTo(2 << 16 | 4);
  }

  @Test
  void and_duplicateNumberOrName_throws() {
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.and(4, "kind"));
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.and(2, "uid"));
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.and(REFERENCE));
    assertThatIllegalArgumentException().isThrownBy(() -> REFERENCE.inline(2, REFERENCE));
  }
}
