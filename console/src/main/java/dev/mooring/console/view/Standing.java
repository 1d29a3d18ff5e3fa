package dev.mooring.console.view;

import dev.mooring.explain.Measure;
import java.util.List;

/**
 * What there is to know of the process: a place to look first when everything waits.
 *
 * @param cluster the API server's address
 * @param facts who leads, which controllers, plugins and drivers there are, in groups, in the order
 *     in which they are told; nothing that is secret
 * @param alarm what somebody has to look at, such as that deletions are held back; "" for nothing
 */
public record Standing(String cluster, List<Measure> facts, String alarm) {
  public Standing {
    facts = List.copyOf(facts);
  }
}
