package dev.mooring.console.view;

import dev.mooring.explain.Measure;
import java.util.List;

/**
 * What there is to know of the process: a place to look first when everything waits.
 *
 * @param cluster the API server's address
 * @param facts who leads, which controllers there are, in groups, in the order in which they are
 *     told; nothing that is secret
 * @param extensions the plugins and drivers that it has
 * @param alarm what somebody has to look at, such as that deletions are held back; "" for nothing
 */
public record Standing(
    String cluster, List<Measure> facts, List<Extension> extensions, String alarm) {
  public Standing {
    facts = List.copyOf(facts);
    extensions = List.copyOf(extensions);
  }
}
