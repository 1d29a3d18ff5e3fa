package dev.mooring.apiserver.kinds.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelRuleTest {
  private static final JsonElement SELF =
      JsonParser.parseString(
          """
          {"size": 3, "name": "a-b", "tags": ["x", "y"], "labels": {"k": "v"}}
          """);

  private static boolean holds(String rule) {
    return new CelRule(rule).isSatisfied(new CelRule.RuleSubject(SELF, null, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "self.size + 2 * 3 == 9; true",
        "(self.size + 2) * 3 == 15; true",
        "self.size - 1 - 1 == 1; true",
        "-self.size < 0 && !(self.size > 3); true",
        "self.none == 1 || self.size == 3; true",
        "self.size == 4 ? false : self.size in [1, 3]; true",
        "has(self.none); false",
        "has(self.labels.k) && self.labels['k'] == \"v\"; true",
        "self.tags.all(t, t.size() == 1) && self.tags.exists_one(t, t == 'y'); true",
        "self.tags.filter(t, t != 'x') == ['y'] && self.tags.map(t, t + t)[0] == 'xx'; true",
        "self.name.matches('^[a-z]-[a-z]$') && size(self.tags) == 2; true",
        "null == true; false"
      })
  void rule_evaluated_returnsExpectedResult(String rule, boolean holds) {
    assertThat(holds(rule)).isEqualTo(holds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "self.",
        "self.size ==",
        "(self.size",
        "[1, ",
        "self.tags.all(",
        "self.tags.all(t",
        "self.size self",
        "self.size # 1",
        "other.size == 1",
        "self.tags.unknown()",
        "unknown(self)",
        "size()",
        "99999999999999999999 == 1",
        "self.name.matches('(?=a)')"
      })
  void rule_invalidSyntax_isRefusedByConstructor(String rule) {
    assertThatThrownBy(() -> new CelRule(rule)).isInstanceOf(CelRule.CelException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 / 0 == 1",
        "1 % 0 == 1",
        "9223372036854775807 + 1 == 0",
        "self.name.substring(0, 99) == ''",
        "self.name.charAt(-1) == ''",
        "self.name.replace('a') == ''",
        "double(self.name) == 1.0",
        "[].min() == 1",
        "self.tags.indexOf() == 0"
      })
  void rule_failingEvaluation_throwsCelException(String rule) {
    assertThatThrownBy(() -> holds(rule)).isInstanceOf(CelRule.CelException.class);
  }

  /** Longer nestings and chains would overflow the stack of a request. */
  @ParameterizedTest
  @CsvSource({"'(', 'true', ')'", "'!', 'true', ''", "'-', '1', ''", "'1 + ', '1', ''"})
  void rule_deeplyNested_isRefusedByConstructor(String before, String value, String after) {
    String rule = before.repeat(10_000) + value + after.repeat(10_000);
    assertThatThrownBy(() -> new CelRule(rule))
        .isInstanceOf(CelRule.CelException.class)
        .hasMessage("expression recursion limit exceeded: 250");
  }

  static Stream<Arguments> longRules() {
    return Stream.of(
        Arguments.of("alternatives", "self.size == 4 || ".repeat(10_000) + "true"),
        Arguments.of("conditions", "self.size == 3 && ".repeat(10_000) + "true"),
        Arguments.of("text", "self.name != '" + "x".repeat(100_000) + "'"),
        Arguments.of(
            "pattern", "!('a'.matches('x') || '" + "a".repeat(50) + "!'.matches('^(a+)+$'))"),
        Arguments.of("smallest integer", "-9223372036854775808 < 0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("longRules")
  void rule_long_isEvaluated(String name, String rule) {
    assertThat(holds(rule)).as(name).isTrue();
  }
}
