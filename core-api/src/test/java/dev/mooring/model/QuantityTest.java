package dev.mooring.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "+1, 1",
    "-1, -1",
    "1Ki, 1024",
    "1.5Gi, 1610612736",
    ".5Gi, 536870912",
    "1., 1",
    "1k, 1000",
    "100m, 0.1",
    "1m, 0.001",
    "1u, 0.000001",
    "1n, 0.000000001",
    "0.1n, 0.000000001",
    "-0.1n, -0.000000001",
    "1e3, 1000",
    "1E3, 1000",
    "1e-3, 0.001",
    "1E+3, 1000",
    "1E, 1000000000000000000",
    "1Ei, 1152921504606846976",
    "800E, 800000000000000000000",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775808, 9223372036854775808",
    "8Ei, 9223372036854775808",
    "1e20, 100000000000000000000",
    "123456789012345678901234567890, 123456789012345678901234567890"
  })
  void of_validText_returnsExactValue(String text, BigDecimal value) {
    assertThat(Quantity.of(text).value()).isEqualByComparingTo(value);
    assertThat(Quantity.of(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-", ".", "Gi", "1 Gi", "1gi", "1GiB", "1..2", "1e", "1e+", "1e1e1", "0x10", "1K",
        "1mi", "e3", "--1", "1_000", "NaN", "1e99999"
      })
  void of_invalidText_throws(String text) {
    assertThat(Quantity.parse(text)).isEmpty();
    assertThatThrownBy(() -> Quantity.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1Gi, 1024Mi",
    "1000m, 1",
    "1e3, 1k",
    "0.5Gi, 512Mi",
    "1000E, 1e21",
    "0, 0Gi",
    "8Ei, 9223372036854775808"
  })
  void equals_differentNotations_comparesValues(String first, String second) {
    assertThat(Quantity.of(first))
        .isEqualTo(Quantity.of(second))
        .hasSameHashCodeAs(Quantity.of(second))
        .isEqualByComparingTo(Quantity.of(second));
  }

  /** Compares random notations of any size with the exact values. */
  @Test
  void compareTo_randomQuantities_matchesBigDecimal() {
    Random random = new Random(20_261_121);
    String[] suffixes = {
      "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3",
      "E-2", "e18"
    };
    for (int i = 0; i < 200_000; i++) {
      Quantity a = random(random, suffixes);
      Quantity b =
          random.nextInt(4) == 0
              ? Quantity.of(a.value().toPlainString())
              : random(random, suffixes);
      assertThat(Integer.signum(a.compareTo(b)))
          .as("%s <=> %s", a, b)
          .isEqualTo(Integer.signum(a.value().compareTo(b.value())));
      assertThat(a.equals(b)).as("%s = %s", a, b).isEqualTo(a.value().compareTo(b.value()) == 0);
      assertThat(a.covers(b)).isEqualTo(a.value().compareTo(b.value()) >= 0);
    }
  }

  @Test
  void addBytes_sumBeyondLong_isMaximum() {
    assertThat(Quantity.addBytes(Long.MAX_VALUE - 1, 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(Quantity.addBytes(Long.MAX_VALUE - 1, 2)).isEqualTo(Long.MAX_VALUE);
    assertThat(Quantity.addBytes(5, -2)).as("negative size of an object").isEqualTo(3);
  }

  private static Quantity random(Random random, String[] suffixes) {
    String digits = new BigInteger(1 + random.nextInt(70), random).toString();
    String fraction = random.nextInt(3) == 0 ? "." + random.nextInt(1000) : "";
    return Quantity.of(
        (random.nextInt(8) == 0 ? "-" : "")
            + digits
            + fraction
            + suffixes[random.nextInt(suffixes.length)]);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1m, 1",
    "1500m, 2",
    "8Ei, 9223372036854775807",
    "-1500m, -1",
    "-1e30, -9223372036854775808"
  })
  void toBytesCeiling_fraction_roundsUp(String text, long bytes) {
    assertThat(Quantity.of(text).toBytesCeiling()).isEqualTo(bytes);
  }

  @Test
  void ofBytes_value_usesLargestExactSuffix() {
    assertThat(Quantity.ofBytes(1L << 30)).hasToString("1Gi");
    assertThat(Quantity.ofBytes(1536L << 20)).hasToString("1536Mi");
    assertThat(Quantity.ofBytes(1_000_000_000)).hasToString("1000000000");
    assertThat(Quantity.ofBytes(0)).hasToString("0");
    assertThat(Quantity.ofBytes(1L << 60)).hasToString("1Ei").isEqualTo(Quantity.of("1Ei"));
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, false",
    "9223372036854775806.5, false",
    "9223372036854775807.5, true",
    "9223372036854775808, true",
    "8Ei, true",
    "7Ei, false",
    "10E, true",
    "-10E, false",
  })
  void exceedsBytes_valueAboveInt64_isTrue(String amount, boolean exceeds) {
    assertThat(Quantity.of(amount).exceedsBytes()).isEqualTo(exceeds);
  }
}
