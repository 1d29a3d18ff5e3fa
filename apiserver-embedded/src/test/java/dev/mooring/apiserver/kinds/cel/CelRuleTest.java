package dev.mooring.apiserver.kinds.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        "size()"
      })
  void rule_invalidSyntax_isRefusedByConstructor(String rule) {
    assertThatThrownBy(() -> new CelRule(rule)).isInstanceOf(CelRule.CelException.class);
  }
}
