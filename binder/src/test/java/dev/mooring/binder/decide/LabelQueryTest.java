package dev.mooring.binder.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelQueryTest {
  private static final List<String> OPERATORS =
      List.of("In", "NotIn", "Exists", "DoesNotExist", "Near");

  private final Random random = new Random(3);

  private Map<String, String> labels() {
    Map<String, String> labels = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      labels.put("k" + random.nextInt(3), "v" + random.nextInt(3));
    }
    return labels;
  }

  private LabelSelector selector() {
    List<Requirement> requirements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      List<String> values =
          IntStream.range(0, random.nextInt(3)).mapToObj(n -> "v" + random.nextInt(3)).toList();
      requirements.add(
          new Requirement(
              "k" + random.nextInt(3),
              OPERATORS.get(random.nextInt(random.nextInt(5) + 1)),
              values));
    }
    return new LabelSelector(random.nextBoolean() ? Map.of() : labels(), requirements);
  }

  @Test
  void matches_anyLabels_equalsSelector() {
    for (int i = 0; i < 200_000; i++) {
      LabelSelector selector = selector();
      LabelQuery query = LabelQuery.of(selector);
      Map<String, String> labels = labels();
      assertThat(query.matches(labels))
          .as("%s of %s", selector, labels)
          .isEqualTo(selector.matches(labels));
      if (query.matches(labels)) {
        assertThat(query.isPossible()).isTrue();
        assertThat(query.terms())
            .allMatch(t ->
                labels.containsKey(t.key())
                    && (t.values().isEmpty() || t.values().contains(labels.get(t.key()))));
      }
    }
  }

  @Test
  void equals_sameRequirements_isTrue() {
    LabelQuery query =
        LabelQuery.of(
            new LabelSelector(
                Map.of("a", "x"), List.of(new Requirement("b", "In", List.of("y", "z")))));
    LabelQuery equalQuery =
        LabelQuery.of(
            new LabelSelector(
                Map.of(),
                List.of(
                    new Requirement("b", "In", List.of("z", "y", "z")),
                    new Requirement("a", "In", List.of("x")))));
    LabelQuery third =
        LabelQuery.of(
            new LabelSelector(
                Map.of("a", "x"), List.of(new Requirement("b", "NotIn", List.of("y", "z")))));
    assertThat(query).isEqualTo(equalQuery).hasSameHashCodeAs(equalQuery).isNotEqualTo(third);
  }
}
