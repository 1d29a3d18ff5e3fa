package dev.mooring.manager.explain;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explanations of one object, or of everything that is waiting.
 *
 * @param explanations the most urgent first
 * @param objects number of evaluated objects
 * @param requested the requested object; null for everything that is waiting
 * @param unseen what could not be read, with the consequences
 */
public record ExplainAnswer(
    List<Explanation> explanations,
    int objects,
    @Nullable ExplainedObject requested,
    List<UnreadableKind> unseen) {
  public ExplainAnswer {
    explanations = List.copyOf(explanations);
    unseen = List.copyOf(unseen);
  }

  public boolean waits() {
    return explanations.stream().anyMatch(Explanation::isWaiting);
  }
}
