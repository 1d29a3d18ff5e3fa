package dev.mooring.provisioner;

import dev.mooring.provisioner.decide.NodeRules;
import java.time.Duration;

/**
 * One instance of those that each node has.
 *
 * @param node its node
 * @param immediateToo whether it stands for election for claims that nobody selects a node for
 * @param baseDelay how long it waits before it stands for the first time; doubled every time
 * @param maxDelay how long at most
 */
public record NodeInstance(
    String node, boolean immediateToo, Duration baseDelay, Duration maxDelay) {
  NodeRules.Instance rules() {
    return new NodeRules.Instance(node, immediateToo, baseDelay, maxDelay);
  }
}
