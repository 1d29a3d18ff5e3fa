package dev.mooring.it.sim;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;

/**
 * Leases of the kubelets. A kubelet renews its Lease every ten seconds while it responds.
 *
 * <p>Fault: the clocks of the nodes are up to a minute fast or slow.
 */
final class NodeLeases {
  private static final String NAMESPACE = "kube-node-lease";
  private static final Duration DURATION = Duration.ofSeconds(40);
  private static final long RENEWAL_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int LONGEST_SKEW_SECONDS = 60;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** Longest time between the decision that a node is dead and the event about it. */
  private static final long EVENT_NANOS = Duration.ofMinutes(10).toNanos();

  private final Simulation simulation;
  private final Map<String, Long> skews = new HashMap<>(); // seconds
  private final Map<String, Long> started = new HashMap<>(); // times of the last start
  private final Map<String, Long> silent = new HashMap<>(); // last renewals of dead kubelets
  private final Map<String, Long> expired = new HashMap<>(); // ends of silences beyond the Lease

  NodeLeases(Simulation simulation) {
    this.simulation = simulation;
  }

  private long now() {
    return simulation.clock().now();
  }

  /** The kubelet stops responding. */
  void stop(String node) {
    silent.putIfAbsent(node, lastRenewal(node));
  }

  /** The kubelet responds again, and renews its Lease at once. */
  void start(String node) {
    if (isExpired(node)) {
      expired.put(node, now());
    }
    silent.remove(node);
    started.put(node, now());
  }

  private long lastRenewal(String node) {
    long start = started.getOrDefault(node, 0L);
    return silent.getOrDefault(node, now() - (now() - start) % RENEWAL_NANOS);
  }

  private boolean isExpired(String node) {
    return now() - lastRenewal(node) >= DURATION.toNanos();
  }

  /** Returns whether the kubelet did not renew its Lease in time, now or shortly before. */
  boolean wasExpired(String node) {
    return isExpired(node) || expired.containsKey(node) && now() - expired.get(node) <= EVENT_NANOS;
  }

  /**
   * Writes the Lease as the kubelet last renewed it. Called before a process reads it, since
   * renewals without readers would only take time.
   */
  void write(String node) {
    long skew =
        skews.computeIfAbsent(
            node,
            n -> {
              int range = 2 * LONGEST_SKEW_SECONDS + 1;
              return (long) simulation.random().nextInt(range) - LONGEST_SKEW_SECONDS;
            });
    Instant renewed =
        simulation.clock().instant().minusNanos(now() - lastRenewal(node)).plusSeconds(skew);
    String spec =
        "'spec':{'holderIdentity':'%s','leaseDurationSeconds':%d,'renewTime':'%s'}"
            .formatted(node, DURATION.toSeconds(), MICROS.format(renewed));
    simulation
        .server()
        .create(Kind.LEASE, NAMESPACE, "{'metadata':{'name':'%s'},%s}".formatted(node, spec));
    simulation.server().change(Kind.LEASE, ObjectKey.of(NAMESPACE, node), "{" + spec + "}");
  }
}
