package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class ExplanationTreeTest {
  private static final ExplainAnswer ANSWER =
      new ExplainAnswer(
          List.of(
              new Explanation(
                  new SubjectRef(Kind.CLAIM, ObjectKey.of("ns", "c")),
                  "Pending",
                  0,
                  new Cause("Code", CauseRank.FAILING, "meaning", "remedy"),
                  "a\u009b2J\u202e\u001b\u200b\udb40\udc41\u4e2d",
                  NextStep.NOTHING,
                  Evidence.NONE.withErrors(List.of("first\u0007\nsecond")),
                  List.of())),
          1,
          null,
          List.of());

  /** Terminals and language models receive the output. */
  @Test
  void jsonAndYaml_hiddenCharacters_areFiltered() {
    String json = ExplanationTree.json(ANSWER);
    assertThat(json).doesNotContain("\u009b", "\u202e", "\\u001b", "\u200b", "\udb40\udc41");
    assertThat(
            JsonParser.parseString(json)
                .getAsJsonObject()
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject()
                .get("note")
                .getAsString())
        .isEqualTo("a\ufffd2J\ufffd\ufffd\ufffd\ufffd\u4e2d");
    String yaml = ExplanationTree.yaml(ANSWER);
    assertThat(yaml).doesNotContain("\\e", "\\x9B", "\\u202E");
    assertThat(new Yaml().<Object>load(yaml).toString())
        .contains("a\ufffd2J\ufffd", "first\ufffd\nsecond");
  }
}
