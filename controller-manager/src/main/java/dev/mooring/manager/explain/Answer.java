package dev.mooring.manager.explain;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.Unseen;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster answers.
 *
 * @param explanations what was said, the most urgent first
 * @param objects of how many objects
 * @param asked of which one, if it is of one; null if it is of whatever waits
 * @param unseen what could not be read of the cluster, and what that leaves open
 */
public record Answer(
    List<Explanation> explanations,
    int objects,
    @Nullable ExplainedObject asked,
    List<Unseen> unseen) {
  /** Lists are copied. */
  public Answer {
    explanations = List.copyOf(explanations);
    unseen = List.copyOf(unseen);
  }

  /** Whether something waits. */
  public boolean waits() {
    return explanations.stream().anyMatch(Explanation::waits);
  }
}
