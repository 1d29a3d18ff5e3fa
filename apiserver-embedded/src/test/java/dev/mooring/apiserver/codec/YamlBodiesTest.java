package dev.mooring.apiserver.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlBodiesTest {
  private static String toJson(String yaml) throws BadBodyException {
    return YamlBodies.toJson(yaml, new ArrayList<>());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "a:\\n\\tb: 2          | yaml: line 2: found character '\\t(TAB)' that cannot start any token",
        "a: 1\\nb: [1, 2       | yaml: line 2: expected ',' or ']'",
        "a: 1\\n---\\nb: 2      | yaml: line 2: expected a single document in the stream, but found another document",
        "a: &a [*a]           | yaml: an anchor's value contains itself",
        "a: &a {b: {c: *a}}   | yaml: an anchor's value contains itself",
        "a: .inf              | yaml: Infinity is not a valid double value",
        "a: !!int x           | yaml: ",
      })
  void toJson_invalidDocument_namesLineAndProblem(String yaml, String problem) {
    assertThatThrownBy(() -> toJson(yaml.replace("\\n", "\n").replace("\\t", "\t")))
        .isInstanceOf(BadBodyException.class)
        .hasMessageStartingWith(problem)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void toJson_aliasOfSibling_isCopied() throws Exception {
    assertThat(toJson("a: &x {b: 1}\nc: *x\nd: [*x, *x]"))
        .isEqualTo("{\"a\":{\"b\":1},\"c\":{\"b\":1},\"d\":[{\"b\":1},{\"b\":1}]}");
  }

  @Test
  void toJson_exponentialAliases_areRefused() {
    String document =
        IntStream.range(1, 17)
            .mapToObj(i -> "a%d: &a%d [*a%d, *a%d, *a%d]".formatted(i, i, i - 1, i - 1, i - 1))
            .collect(Collectors.joining("\n", "a0: &a0 [x]\n", "\n"));
    assertThatThrownBy(() -> toJson(document))
        .isInstanceOf(BadBodyException.class)
        .hasMessage("yaml: document contains excessive aliasing");
  }
}
