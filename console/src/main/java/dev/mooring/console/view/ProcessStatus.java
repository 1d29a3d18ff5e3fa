package dev.mooring.console.view;

import dev.mooring.explain.NamedFact;
import java.util.List;

/**
 * State of the host process: the first place to look if everything is waiting.
 *
 * @param cluster address of the API server
 * @param facts leader, controllers and others, in groups and in order; no secrets
 * @param alarm condition that needs attention, for example held deletions; "" for none
 */
public record ProcessStatus(
    String cluster, List<NamedFact> facts, List<StorageExtension> extensions, String alarm) {
  public ProcessStatus {
    facts = List.copyOf(facts);
    extensions = List.copyOf(extensions);
  }
}
