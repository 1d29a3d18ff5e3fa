package dev.mooring.binder.decide;

import dev.mooring.model.Node;
import org.jspecify.annotations.Nullable;

/** Verdict whether the node that was selected for a claim exists. */
public sealed interface NodeVerdict {
  /**
   * The node exists.
   *
   * @param node the node as of now; null if none is selected
   */
  record Exists(@Nullable Node node) implements NodeVerdict {}

  record Gone() implements NodeVerdict {}

  record Impossible(String flaw) implements NodeVerdict {}

  record Unknown(String message) implements NodeVerdict {}
}
